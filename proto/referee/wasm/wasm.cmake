# libskirmish as a WebAssembly module, where clang and lld are found: the same files and the same functions,
# with a C library of its own (libc.c) and without imports.  Link-time optimization needs a clang and
# an lld of the same version, so both are tried out first.
find_program(SK_WASM_CLANG clang)
find_program(SK_WASM_LINKER wasm-ld)
set(wasm_dir ${CMAKE_CURRENT_SOURCE_DIR}/wasm)
set(wasm_build ${CMAKE_CURRENT_BINARY_DIR}/wasm)
set(wasm_flags --target=wasm32 -std=c11 -nostdlibinc -mbulk-memory -msign-ext -fvisibility=hidden
  -isystem ${wasm_dir}/include -I${CMAKE_SOURCE_DIR} -DSK_LIBRARY_VERSION="${PROJECT_VERSION}"
  -Wall -Wextra -fmacro-prefix-map=${CMAKE_SOURCE_DIR}/=)
set(wasm_link --no-entry --lto-O2 -O2 -mllvm -enable-merge-functions --strip-all --stack-first -z stack-size=1048576
  --export=malloc --export=free)

set(wasm_works 1)
if(SK_WASM_CLANG AND SK_WASM_LINKER)
  file(WRITE ${wasm_build}/try.c "#include <stdlib.h>\nvoid *malloc(size_t size) { return (void *)size; }\n"
    "void free(void *memory) { (void)memory; }\n")
  execute_process(
    COMMAND ${SK_WASM_CLANG} ${wasm_flags} -flto -c ${wasm_build}/try.c -o ${wasm_build}/try.o
    RESULT_VARIABLE wasm_works OUTPUT_QUIET ERROR_QUIET)
  if(wasm_works EQUAL 0)
    execute_process(COMMAND ${SK_WASM_LINKER} ${wasm_link} ${wasm_build}/try.o -o ${wasm_build}/try.wasm
      RESULT_VARIABLE wasm_works OUTPUT_QUIET ERROR_QUIET)
  endif()
endif()
# Not an option(): its default would be kept, and clang and lld that are installed later not be used.
set(SK_WASM AUTO CACHE STRING "Build the WebAssembly module: ON, OFF, or AUTO: if clang and lld are found")
if(NOT SK_WASM OR (SK_WASM STREQUAL "AUTO" AND NOT wasm_works EQUAL 0))
  return()
endif()

# Arrays of numbers (sk_game_*) are a module of their own, so that what the page downloads stays small.
file(STRINGS libskirmish.map exports REGEX "^ +sk_[a-z_]+;$")
set(exports_of_skirmish "")
set(exports_of_skirmish-game --export=sk_library_version)
foreach(line IN LISTS exports)
  string(REGEX MATCH "sk_[a-z_]+" name "${line}")
  if(name MATCHES "^sk_game_")
    list(APPEND exports_of_skirmish-game --export=${name})
  else()
    list(APPEND exports_of_skirmish --export=${name})
  endif()
endforeach()

# sk_wasm_object(MODULES FILE FLAG...)
set(objects_of_skirmish "")
set(objects_of_skirmish-game "")
function(sk_wasm_object modules file)
  string(REPLACE ${CMAKE_BINARY_DIR}/ "" name ${file})
  string(REPLACE ${CMAKE_SOURCE_DIR}/ "" name ${name})
  string(REPLACE / - name ${name})
  list(GET modules 0 first)
  set(object ${wasm_build}/${first}-${name}.o)
  add_custom_command(OUTPUT ${object}
    COMMAND ${CMAKE_C_COMPILER_LAUNCHER} ${SK_WASM_CLANG} ${wasm_flags} ${ARGN} -MD -MF ${object}.d
      -c ${file} -o ${object}
    DEPENDS ${file} DEPFILE ${object}.d COMMENT "WebAssembly: ${name}" VERBATIM)
  foreach(module IN LISTS modules)
    set(objects_of_${module} ${objects_of_${module}} ${object} PARENT_SCOPE)
  endforeach()
endfunction()
# The scanner reads every byte of a request: as fast code it is 1.5 kB larger, and a request takes a quarter less.
# Only arrays of numbers need pictures, for the size of the board.
set(both skirmish skirmish-game)
foreach(file IN LISTS library_files)
  file(STRINGS ${file} pictures REGEX "SK_PICTURE\\(")
  if(pictures)
    sk_wasm_object(skirmish ${file} -Oz -flto)
    sk_wasm_object(skirmish-game ${file} -Oz -flto -DSK_WITH_PICTURES)
  elseif(file MATCHES "/json_scan\\.c$")
    sk_wasm_object("${both}" ${file} -O2 -flto)
  else()
    sk_wasm_object("${both}" ${file} -Oz -flto)
  endif()
endforeach()
# It is no bitcode, so that the optimizer does not mistake its functions for themselves.
sk_wasm_object("${both}" ${wasm_dir}/libc.c -Oz -fno-builtin)

set(wasm_modules "")
foreach(name IN LISTS both)
  set(module ${CMAKE_BINARY_DIR}/js/${name}.wasm)
  add_custom_command(OUTPUT ${module}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_BINARY_DIR}/js
    COMMAND ${SK_WASM_LINKER} ${wasm_link} ${exports_of_${name}} ${objects_of_${name}} -o ${module}
    COMMAND chmod a-x ${module}
    DEPENDS ${objects_of_${name}} COMMENT "WebAssembly: ${name}.wasm" VERBATIM)
  list(APPEND wasm_modules ${module})
endforeach()
set_property(GLOBAL PROPERTY SK_WASM_MODULE ${CMAKE_BINARY_DIR}/js/skirmish.wasm)
add_custom_target(wasm ALL DEPENDS ${wasm_modules})

# The package for npm: proto/js with the module in it.
file(GLOB js_files CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/proto/js/*.js ${CMAKE_SOURCE_DIR}/proto/js/*.ts
  ${CMAKE_SOURCE_DIR}/proto/js/*.json ${CMAKE_SOURCE_DIR}/proto/js/*.md)
add_custom_command(OUTPUT ${CMAKE_BINARY_DIR}/js.stamp
  COMMAND ${CMAKE_COMMAND} -E copy ${js_files} ${CMAKE_BINARY_DIR}/js
  COMMAND ${CMAKE_COMMAND} -E touch ${CMAKE_BINARY_DIR}/js.stamp
  DEPENDS ${js_files} ${wasm_modules} VERBATIM)
add_custom_target(js ALL DEPENDS ${CMAKE_BINARY_DIR}/js.stamp)
add_dependencies(js wasm)
install(DIRECTORY ${CMAKE_BINARY_DIR}/js DESTINATION ${CMAKE_INSTALL_DATADIR}/skirmish)
