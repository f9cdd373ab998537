# Generates a C file with the bots that `skirmish bot new` writes:
#
#   cmake -D ROOT=. -D OUT=file.c -P templates.cmake
#
# Bytes, not string literals: C guarantees only 4095 characters for those.
cmake_minimum_required(VERSION 3.25)

set(text "/* Made by templates.cmake. */\n#include \"server/cli/bot_new.h\"\n\n")
foreach(pair python=proto/python/examples/bot.py js=proto/js/examples/service.mjs)
  string(REPLACE "=" ";" pair ${pair})
  list(GET pair 0 name)
  list(GET pair 1 path)
  file(READ ${ROOT}/${path} digits HEX)
  string(REGEX REPLACE "(................................)" "\\1\n    " digits "${digits}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1, " digits "${digits}")
  string(APPEND text "const unsigned char bot_template_${name}[] = {\n    ${digits}0x00\n};\n\n")
endforeach()
file(WRITE ${OUT} "${text}")
