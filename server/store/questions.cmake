# Generates a C file with the predefined questions of a folder:
#
#   cmake -D FOLDER=migrations/queries -D OUT=file.c -P questions.cmake
#
# Bytes, not string literals: C guarantees only 4095 characters for those.
cmake_minimum_required(VERSION 3.25)

file(GLOB paths ${FOLDER}/*.sql)
list(SORT paths)

set(texts "")
set(rows "")
set(number 0)
foreach(path IN LISTS paths)
  get_filename_component(name ${path} NAME_WE)
  file(READ ${path} digits HEX)
  string(REGEX REPLACE "(................................)" "\\1\n    " digits "${digits}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1, " digits "${digits}")
  string(APPEND texts "static const unsigned char text_${number}[] = {\n    ${digits}0x00\n};\n\n")
  # PostgreSQL's text, where it differs.
  set(other NULL)
  if(EXISTS ${FOLDER}/postgres/${name}.sql)
    file(READ ${FOLDER}/postgres/${name}.sql digits HEX)
    string(REGEX REPLACE "(................................)" "\\1\n    " digits "${digits}")
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1, " digits "${digits}")
    string(APPEND texts "static const unsigned char other_${number}[] = {\n    ${digits}0x00\n};\n\n")
    set(other "(const char *)other_${number}")
  endif()
  string(APPEND rows "    { \"${name}\", (const char *)text_${number}, ${other} },\n")
  math(EXPR number "${number} + 1")
endforeach()
if(NOT rows)
  message(FATAL_ERROR "${FOLDER} holds no questions")
endif()

set(text "/* Made by questions.cmake. */\n#include <stddef.h>\n\n#include \"server/store/question.h\"\n\n")
string(APPEND text "${texts}const struct question questions[] = {\n${rows}};\n\n")
string(APPEND text "const size_t question_count = sizeof(questions) / sizeof(questions[0]);\n")
file(WRITE ${OUT} "${text}")
