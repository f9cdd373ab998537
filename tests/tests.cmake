# Every test, as CTest runs it; README.md beside this file says what each suite shows.
# They are run from the project's root.
include(suite.cmake)

set(python /usr/bin/python3 -m unittest discover -s)
set(programs SKIRMISHD=$<TARGET_FILE:skirmishd> SKIRMISH=$<TARGET_FILE:skirmish>)
set(asan ${CMAKE_SOURCE_DIR}/build/asan)
set(release ${CMAKE_SOURCE_DIR}/build/release)

sk_preset(bench) # in build/release
sk_preset(crash)
sk_preset(tsan)
sk_preset(fuzz)
sk_preset(coverage)
if(NOT CMAKE_BINARY_DIR STREQUAL asan)
  sk_preset(asan)
endif()

# ---- the rules and the parts ----

foreach(file IN LISTS unit_files)
  get_filename_component(name ${file} NAME_WE)
  sk_suite(unit ${name} MEMORY COMMAND $<TARGET_FILE:${name}>)
endforeach()
sk_suite(conformance conformance COST 20 COMMAND $<TARGET_FILE:conformance>)
sk_suite(property property COMMAND $<TARGET_FILE:property> --turns 5000)
sk_suite(property property-long LONG COMMAND $<TARGET_FILE:property> --turns 100000)
# Every size of board once.
sk_suite(setup setup COST 20 ENV ${programs} COMMAND tests/property/racers_setup --seeds 3025)
sk_suite(setup setup-long LONG ENV ${programs} COMMAND tests/property/racers_setup --seeds 50000)
sk_suite(matrix matrix COST 40 COMMAND tests/property/matrix)
sk_suite(matrix matrix-long LONG COMMAND tests/property/matrix --long --turns 4000)
sk_suite(golden golden ENV ${programs} COMMAND tests/golden/run)
sk_suite(reference reference COMMAND ${python} tests/reference)
foreach(ruleset tactics halma racers snarl)
  set(compare tests/reference/compare.py --skirmish $<TARGET_FILE:skirmish> --ruleset ${ruleset})
  sk_suite(reference reference_${ruleset} COMMAND ${compare} --turns 2000)
  sk_suite(reference reference_${ruleset}-long LONG COMMAND ${compare} --turns 20000)
endforeach()
set(with_coins SKIRMISHD=$<TARGET_FILE:skirmishd_with_coins> SKIRMISH=$<TARGET_FILE:skirmish_with_coins>)
sk_suite(ruleset ruleset WAITS MEMORY ENV ${with_coins} COMMAND ${python} tests/ruleset)
sk_suite(ruleset ruleset-long LONG NEEDS bench COMMAND tests/ruleset/follow)
sk_suite(python python WAITS COST 60 NEEDS bench COMMAND ${python} tests/python)
sk_suite(balance balance NEEDS bench COMMAND build/release/tests/balance --games 400 --check 5)
set(fields "tactics" "halma" "snarl, shipped levels")
foreach(field IN LISTS fields)
  string(REGEX REPLACE ",.*" "" name ${field})
  sk_suite(bots bots_${name} NEEDS bench COMMAND build/release/tests/bots --ruleset "${field}"
    --games 8 --budget 5000 --seed 3 --check 80)
endforeach()
sk_suite(bots bots-long LONG NEEDS bench COMMAND build/release/tests/bots --budget 5000 --check 80)
foreach(part store review bots)
  sk_suite(threads threads_${part} NEEDS tsan COMMAND build/tsan/tests/${part}_threads)
endforeach()
# It stops by itself; `tests/run --fuzz` says when.
sk_suite(fuzz fuzz COST 30 NEEDS fuzz COMMAND tests/fuzz/run)
set_tests_properties(fuzz PROPERTIES TIMEOUT 1000000)

# ---- the server and the tool ----

sk_suite(sim sim COST 40 NEEDS asan COMMAND tests/sim/run)
sk_suite(sim sim-long LONG NEEDS bench COMMAND tests/sim/run --long)
sk_suite(sim sim-faults LONG NEEDS asan COMMAND tests/sim/faults --least 46)
sk_suite(cli cli COST 40 MEMORY ENV ${programs} COMMAND ${python} tests/cli)

# A file each.  The last one asks whether the others provoked every error code.
file(GLOB e2e_files CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/e2e/test_*.py)
set(e2e_tests)
foreach(file IN LISTS e2e_files)
  get_filename_component(module ${file} NAME_WE)
  string(REPLACE "test_" "e2e_" name ${module})
  sk_suite(e2e ${name} WAITS MEMORY COMMAND ${python} tests/e2e -p ${module}.py
    ENV ${programs} PROVOKED=${CMAKE_BINARY_DIR}/Testing/provoked/${module})
  list(APPEND e2e_tests ${name})
endforeach()
list(POP_BACK e2e_tests last)
set_tests_properties(${last} PROPERTIES DEPENDS "${e2e_tests}")

sk_suite(services services-long LONG NEEDS bench ENV SKIRMISHD=${release}/bin/skirmishd
  COMMAND ${python} tests/e2e -p services_long.py)
sk_suite(proxies proxies LONG NEEDS bench ENV SKIRMISHD=${release}/bin/skirmishd
  COMMAND ${python} tests/proxies)
sk_suite(page page WAITS COST 300 MEMORY ENV ${programs} COMMAND node tests/page/run.js)
# If `node` is not Debian's, what needs no browser runs with Debian's, too.
execute_process(COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/page/debian-node --is-other
  RESULT_VARIABLE is_other_status ERROR_QUIET)
if(is_other_status EQUAL 0)
  sk_suite(page page_debian WAITS MEMORY ENV ${programs}
    COMMAND tests/page/debian-node tests/page/run.js --pure)
endif()

# ---- on PostgreSQL: each with a private server of its own ----

if(SK_POSTGRES)
  foreach(name unit_store unit_store_load unit_store_queue unit_store_text)
    sk_suite(postgres postgres_${name} COMMAND tests/postgres/with $<TARGET_FILE:${name}>)
  endforeach()
  sk_suite(postgres postgres_views COST 60 ENV ${programs}
    COMMAND tests/postgres/with ${python} tests/postgres -p test_views.py)
  sk_suite(postgres postgres_tool ENV ${programs}
    COMMAND tests/postgres/with ${python} tests/postgres -p test_tool.py)
  sk_suite(postgres postgres_operators WAITS ENV ${programs}
    COMMAND tests/postgres/with ${python} tests/postgres -p test_operators.py)
  sk_suite(postgres postgres_http ENV ${programs}
    COMMAND tests/postgres/with ${python} tests/postgres -p test_http.py)
  sk_suite(postgres postgres_queue WAITS ENV ${programs}
    COMMAND tests/postgres/with ${python} tests/postgres -p test_queue.py)
  sk_suite(postgres postgres_primary ENV ${programs} COMMAND ${python} tests/postgres -p test_primary.py)
  sk_suite(postgres postgres_durable ENV ${programs} COMMAND ${python} tests/postgres -p test_durable.py)
  sk_suite(postgres postgres_claims WAITS
    COMMAND tests/postgres/with $<TARGET_FILE:postgres_claims>)
  sk_suite(postgres postgres_leases WAITS
    COMMAND tests/postgres/with $<TARGET_FILE:postgres_leases>)
  sk_suite(postgres postgres_waits COMMAND tests/postgres/with $<TARGET_FILE:postgres_waits>)
  sk_suite(postgres postgres_standby WAITS
    COMMAND tests/postgres/with $<TARGET_FILE:postgres_standby>)
  sk_suite(postgres postgres_cuts
    COMMAND tests/postgres/with tests/postgres/cut 300 $<TARGET_FILE:postgres_cuts>)
  sk_suite(postgres postgres_protocol ENV ${programs}
    COMMAND tests/postgres/with ${python} tests/e2e -p test_10_protocol_examples.py)
  sk_suite(postgres postgres_metrics ENV ${programs}
    COMMAND tests/postgres/with ${python} tests/e2e -p test_41_metrics.py -k documented)
  sk_suite(postgres postgres_restart ENV ${programs}
    COMMAND tests/postgres/with ${python} tests/e2e -p test_05_resume_restart.py)
endif()

# ---- what goes wrong ----

foreach(part points openings power liars rounds control start corrupt disk faults)
  sk_suite(crash crash_${part} COST 30 NEEDS bench asan crash COMMAND tests/crash/run --only ${part})
endforeach()
sk_suite(crash crash-long LONG NEEDS bench asan crash COMMAND tests/crash/run --long)
sk_suite(hostile hostile COST 60 NEEDS asan ENV SKIRMISHD=${asan}/bin/skirmishd
  COMMAND ${python} tests/hostile)
sk_suite(hostile hostile_release NEEDS bench ENV SKIRMISHD=${release}/bin/skirmishd
  COMMAND ${python} tests/hostile -k Flat -k Idle)
sk_suite(hostile hostile_bystander ALONE MEMORY NEEDS bench ENV SKIRMISHD=${release}/bin/skirmishd
  COMMAND ${python} tests/hostile -k Bystander)
sk_suite(hostile hostile-long LONG MEMORY NEEDS bench ENV SKIRMISHD=${release}/bin/skirmishd LONG=yes
  COMMAND ${python} tests/hostile -k Bystander)

foreach(part faults rolling failover page script control)
  sk_suite(cluster cluster_${part} COST 60 NEEDS bench crash COMMAND tests/cluster/run --only ${part})
endforeach()
sk_suite(cluster cluster-long LONG NEEDS bench crash COMMAND tests/cluster/run --long)

# ---- the project itself ----

sk_suite(tidy tidy COST 30 NEEDS bench COMMAND tests/tidy/run)
sk_suite(runner runner COMMAND ${python} tests/runner)
sk_suite(readme readme COMMAND ${python} tests/fresh)
sk_suite(readme readme_blocks NEEDS bench COMMAND tests/fresh/readme)
sk_suite(plain plain COST 200 COMMAND tests/install/run)
sk_suite(plain plain-long LONG COMMAND tests/install/run --long)
sk_suite(bench-smoke bench-smoke COST 40 NEEDS bench COMMAND tests/bench/run --smoke)
sk_suite(fresh fresh LONG NEEDS bench COMMAND tests/fresh/run)
sk_suite(packages packages LONG COMMAND tests/packages/run)
sk_suite(analyze analyze LONG NEEDS bench COMMAND tests/analyze/run)
sk_suite(coverage coverage LONG NEEDS coverage COMMAND tests/coverage/run)
