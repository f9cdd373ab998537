# Puts the page together: cmake -D ROOT=... -D FILES="a;b" -D MODULE=... -D OUT=... -P assemble.cmake
#
# OUT gets index.html and, under assets/HASH/, every other file at its path of
# the checkout; HASH is that of all of them.  In index.html `assets/` becomes
# `assets/HASH/`, and a line for each module tells the browser to fetch them
# all at once instead of import by import, except those that only some readers
# need.  MODULE, the WebAssembly module, may be empty: then the page does without
# it.  NAME.gz lies beside each NAME.
list(SORT FILES)
set(sums "")
foreach(file IN LISTS FILES)
  file(SHA256 ${ROOT}/${file} sum)
  string(APPEND sums "${file} ${sum}\n")
endforeach()
if(MODULE)
  file(SHA256 ${MODULE} sum)
  string(APPEND sums "${sum}\n")
endif()
string(SHA256 hash "${sums}")
string(SUBSTRING ${hash} 0 12 hash)

file(REMOVE_RECURSE ${OUT})
set(prefix assets/${hash})
set(preloads "")
set(on_demand text-[a-z]+ diagrams guide plain print profile proof qr recording referee replay rules statistics
  verify whatif worker yours)
list(JOIN on_demand "|" on_demand)
set(on_demand "/(${on_demand})\\.js$")
foreach(file IN LISTS FILES)
  if(file STREQUAL server/web/index.html)
    continue()
  endif()
  configure_file(${ROOT}/${file} ${OUT}/${prefix}/${file} COPYONLY)
  if(file MATCHES "\\.js$" AND NOT file MATCHES "${on_demand}")
    string(APPEND preloads "    <link rel=\"modulepreload\" href=\"${prefix}/${file}\">\n")
  endif()
endforeach()

if(MODULE)
  configure_file(${MODULE} ${OUT}/${prefix}/proto/js/skirmish.wasm COPYONLY)
endif()

file(READ ${ROOT}/server/web/index.html index)
string(REPLACE "assets/" "${prefix}/" index "${index}")
string(REPLACE "    <!-- modules -->\n" "${preloads}" index "${index}")
file(WRITE ${OUT}/index.html "${index}")

file(GLOB_RECURSE written ${OUT}/*)
execute_process(COMMAND gzip -9 -n -k ${written} COMMAND_ERROR_IS_FATAL ANY)
