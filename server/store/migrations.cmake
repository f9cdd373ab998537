# Generates a C file with the texts of all migrations of a folder:
#
#   cmake -D FOLDER=migrations/sqlite -D NAME=migrations_sqlite -D OUT=file.c -P migrations.cmake
#
# Bytes, not string literals: C guarantees only 4095 characters for those.
cmake_minimum_required(VERSION 3.25)

file(GLOB paths ${FOLDER}/*.sql)
list(SORT paths)

set(texts "")
set(rows "")
set(expected 1)
foreach(path IN LISTS paths)
  get_filename_component(file ${path} NAME)
  if(NOT file MATCHES "^([0-9][0-9][0-9][0-9])_[a-z0-9_]+[.]sql$")
    message(FATAL_ERROR "${path}: the name is not NNNN_words.sql")
  endif()
  math(EXPR number "1${CMAKE_MATCH_1} - 10000")
  if(NOT number EQUAL expected)
    message(FATAL_ERROR "${path}: the next number is ${expected}; none is left out or used twice")
  endif()
  math(EXPR expected "${expected} + 1")

  file(READ ${path} digits HEX)
  string(LENGTH "${digits}" length)
  math(EXPR length "${length} / 2")
  string(REGEX REPLACE "(................................)" "\\1\n    " digits "${digits}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1, " digits "${digits}")
  string(APPEND texts "static const unsigned char text_${number}[] = {\n    ${digits}0x00\n};\n\n")
  string(APPEND rows "    { ${number}, \"${file}\", (const char *)text_${number}, ${length} },\n")
endforeach()
if(NOT rows)
  message(FATAL_ERROR "${FOLDER} holds no migrations")
endif()

set(text "/* Made by migrations.cmake. */\n#include \"server/store/migrate.h\"\n\n")
string(APPEND text "${texts}const struct migration ${NAME}[] = {\n${rows}};\n\n")
string(APPEND text "const size_t ${NAME}_count = sizeof(${NAME}) / sizeof(${NAME}[0]);\n")
file(WRITE ${OUT} "${text}")
