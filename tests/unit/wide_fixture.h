/*
 * Matches of tactics whose turns have long records: attacks that affect many
 * cells.
 */
#ifndef SK_TEST_WIDE_FIXTURE_H
#define SK_TEST_WIDE_FIXTURE_H

#include "host_fixture.h"

/* Each side's units stand in a row; what an attack affects has this side, and nobody is harmed. */
static inline void
wide_params(char params[TABLE_TEXT_MAX], int units, int side)
{
    int used = sprintf(params, "{'rows':16,'cols':16,'placement':false,'start_rows':1,'patterns':"
                               "{'aim':{'rows':[' o ','   ',' o '],'map':{'o':'area'}},"
                               "'area':{'rows':[");

    for (int i = 0; i < side; i++) {
        used += sprintf(params + used, "%s'%.*s'", i == 0 ? "" : ",", side, "xxxxxxxxxxxxxxx");
    }
    used += sprintf(params + used, "]}},'models':{'m':{'health':9,'power':0,'move':['aim'],"
                                   "'attack':['aim']}},'units':[");
    for (int i = 0; i < 2 * units; i++) {
        used += sprintf(params + used, "%s{'id':'%c%d','model':'m','seat':%d,'at':[%d,%d]}",
                        i == 0 ? "" : ",", "ab"[i % 2], i / 2, i % 2, i / 2, i % 2 == 0 ? 15 : 0);
    }
    sprintf(params + used, "]}");
}

/* Commands of all units of the side with that letter. */
static inline void
wide_attacks(char commands[TABLE_TEXT_MAX], char letter, int units)
{
    int used = 0;

    for (int i = 0; i < units; i++) {
        used += sprintf(commands + used, "%s{'kind':'attack','unit':'%c%d','target':[%d,%d]}",
                        i == 0 ? "" : ",", letter, i, i, letter == 'a' ? 14 : 1);
    }
}

#endif /* SK_TEST_WIDE_FIXTURE_H */
