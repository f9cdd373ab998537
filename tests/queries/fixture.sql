-- A small history for the ready-made queries: four players, ten matches.
INSERT INTO player (id, name, token_hash, is_bot, created_at) VALUES
    (1, 'Ann', randomblob(32), 0, 1790000000000),
    (2, 'Bob', randomblob(32), 0, 1790000000000),
    (3, 'Eve', randomblob(32), 1, 1790000000000),
    (4, 'Dan', randomblob(32), 0, 1790000000000);

INSERT INTO match (id, ruleset, version, status, is_open, is_rated, seat_count, created_at, started_at,
                   ended_at, winner, reason, seed, salt, settings, params) VALUES
    (1, 'tactics', 1, 'over', 1, 1, 2, 1790000000000, 1790000010000, 1790000040000, 0, 'eliminated',
     zeroblob(32), zeroblob(32), '{}', '{"units":[{"id":"a1","model":"pike","seat":0},{"id":"b1","model":"bow","seat":1}]}'),
    (2, 'tactics', 1, 'over', 1, 1, 2, 1790003600000, 1790003610000, 1790003640000, 1, 'resignation',
     zeroblob(32), zeroblob(32), '{}', '{"units":[{"id":"a1","model":"pike","seat":0},{"id":"b1","model":"bow","seat":1}]}'),
    (3, 'tactics', 1, 'running', 1, 0, 2, 1790007200000, 1790007210000, NULL, NULL, NULL,
     zeroblob(32), zeroblob(32), '{}', '{}'),
    (4, 'tactics', 1, 'waiting', 1, 0, 2, 1790007300000, NULL, NULL, NULL, NULL,
     zeroblob(32), zeroblob(32), '{}', '{}'),
    (5, 'tactics', 1, 'quarantined', 1, 0, 2, 1790007400000, 1790007410000, NULL, NULL,
     'a turn does not come to its stored hash', zeroblob(32), zeroblob(32), '{}', '{}'),
    (6, 'halma', 1, 'over', 1, 0, 2, 1790007500000, 1790007510000, 1790007520000, NULL,
     'draw_turn_limit', zeroblob(32), zeroblob(32), '{}', '{}'),
    (7, 'tactics', 1, 'over', 1, 0, 2, 1790007600000, NULL, 1790011200000, NULL, 'expired',
     zeroblob(32), zeroblob(32), '{}', '{}'),
    (8, 'tactics', 1, 'over', 1, 0, 2, 1790172800000, 1790172800000, 1790172860000, 0, 'eliminated',
     zeroblob(32), zeroblob(32), '{}',
     '{"units":[{"id":"a1","model":"pike","seat":0},{"id":"a2","model":"bow","seat":0},{"id":"b1","model":"bow","seat":1}]}'),
    (9, 'tactics', 1, 'over', 1, 0, 2, 1790172900000, 1790172900000, 1790172960000, 0, 'eliminated',
     zeroblob(32), zeroblob(32), '{}',
     '{"units":[{"id":"a1","model":"pike","seat":0},{"id":"a2","model":"bow","seat":0},{"id":"b1","model":"pike","seat":1}]}'),
    (10, 'racers', 1, 'over', 1, 0, 2, 1790176400000, 1790176400000, 1790176460000, 0, 'finished',
     zeroblob(32), zeroblob(32), '{}', '{}');

INSERT INTO seat (match, seat, player, is_bot) VALUES
    (1, 0, 1, 0), (1, 1, 2, 0), (2, 0, 2, 0), (2, 1, 1, 0), (3, 0, 1, 0), (3, 1, 4, 0),
    (4, 0, 4, 0), (4, 1, NULL, 0), (5, 0, 2, 0), (5, 1, 3, 1), (6, 0, 1, 0), (6, 1, 3, 1),
    (7, 0, 4, 0), (7, 1, NULL, 0), (8, 0, 1, 0), (8, 1, 2, 0), (9, 0, 4, 0), (9, 1, 2, 0),
    (10, 0, 1, 0), (10, 1, 4, 0);

UPDATE seat SET rating_before = 1500, rating_after = 1662.31 WHERE match = 1 AND seat = 0;
UPDATE seat SET rating_before = 1500, rating_after = 1337.69 WHERE match = 1 AND seat = 1;
UPDATE seat SET rating_before = 1337.69, rating_after = 1291.5 WHERE match = 2 AND seat = 0;
UPDATE seat SET rating_before = 1662.31, rating_after = 1708.5 WHERE match = 2 AND seat = 1;
INSERT INTO rated_match (number, match) VALUES (1, 1), (2, 2);

INSERT INTO standing (ruleset, player, games, wins, draws, losses) VALUES
    ('tactics', 1, 2, 2, 0, 0), ('tactics', 2, 2, 0, 0, 2);

-- The hashes form no chain: these questions only need them to differ.
INSERT INTO record (match, seq, epoch, turn, seat, command_id, kind, at, hash, body) VALUES
    (1, 1, 1, NULL, NULL, NULL, 'created', 1790000000000, randomblob(32), '{}'),
    (1, 2, 1, NULL, 0, NULL, 'joined', 1790000000000, randomblob(32), '{"starts":false}'),
    (1, 3, 1, NULL, 1, NULL, 'joined', 1790000010000, randomblob(32), '{"starts":true}'),
    (1, 4, 1, 0, 0, 'a', 'submission', 1790000011000, randomblob(32),
     '{"commands":[{"kind":"move","unit":"a1","target":[9,9]}],"verdicts":[{"verdict":"out_of_bounds","check":"move_in_bounds"}],"ready":false}'),
    (1, 5, 1, 0, 0, 'b', 'submission', 1790000012000, randomblob(32),
     '{"commands":[{"kind":"move","unit":"a1","target":[1,1]}],"verdicts":[{"verdict":"ok"}],"ready":true}'),
    (1, 6, 1, 0, 1, 'a', 'submission', 1790000013000, randomblob(32),
     '{"commands":[{"kind":"move","unit":"b1","target":[1,1]}],"verdicts":[{"verdict":"ok"}],"ready":true}'),
    (1, 7, 1, 0, NULL, NULL, 'turn', 1790000013000, randomblob(32),
     '{"commands":[[{"kind":"move","unit":"a1","target":[1,1]}],[{"kind":"move","unit":"b1","target":[1,1]}]],"verdicts":[[{"verdict":"bounced","check":"bounce"}],[{"verdict":"bounced","check":"bounce"}]],"events":[{"kind":"bounced","units":["a1","b1"],"at":[1,1]}],"hash":"0000000000000001","used_ms":[2000,3000],"bank_ms":[300000,300000]}'),
    (1, 8, 1, 1, 0, 'c', 'submission', 1790000030000, randomblob(32),
     '{"commands":[{"kind":"attack","unit":"a1","target":[1,1]}],"verdicts":[{"verdict":"ok"}],"ready":true}'),
    (1, 9, 1, 1, 1, 'c', 'submission', 1790000039000, randomblob(32),
     '{"commands":[{"kind":"move","unit":"b1","target":[0,1]},{"kind":"move","unit":"b1","target":[2,1]}],"verdicts":[{"verdict":"multiple_commands","check":"single_command"},{"verdict":"multiple_commands","check":"single_command"}],"ready":true}'),
    (1, 10, 1, 1, NULL, NULL, 'turn', 1790000040000, randomblob(32),
     '{"commands":[[{"kind":"attack","unit":"a1","target":[1,1]}],[{"kind":"move","unit":"b1","target":[0,1]},{"kind":"move","unit":"b1","target":[2,1]}]],"verdicts":[[{"verdict":"ok"}],[{"verdict":"multiple_commands","check":"single_command"},{"verdict":"multiple_commands","check":"single_command"}]],"events":[{"kind":"attacked","unit":"a1","target":[1,1],"cells":[[1,1]]},{"kind":"hit","unit":"b1","by":["a1"],"damage":10,"health":0},{"kind":"died","unit":"b1"}],"hash":"0000000000000002","used_ms":[17000,26000],"bank_ms":[300000,300000]}'),
    (1, 11, 1, 1, NULL, NULL, 'ended', 1790000040000, randomblob(32), '{"winner":0,"reason":"eliminated"}'),
    (2, 1, 1, NULL, NULL, NULL, 'created', 1790003600000, randomblob(32), '{}'),
    (2, 2, 1, NULL, 0, NULL, 'joined', 1790003600000, randomblob(32), '{"starts":false}'),
    (2, 3, 1, NULL, 1, NULL, 'joined', 1790003610000, randomblob(32), '{"starts":true}'),
    (2, 4, 1, 0, 0, 'a', 'submission', 1790003620000, randomblob(32),
     '{"commands":[{"kind":"move","unit":"a1","target":[1,2]}],"verdicts":[{"verdict":"ok"}],"ready":true}'),
    (2, 5, 1, 0, 1, 'a', 'submission', 1790003621000, randomblob(32),
     '{"commands":[{"kind":"move","unit":"b1","target":[2,0]}],"verdicts":[{"verdict":"ok"}],"ready":true}'),
    (2, 6, 1, 0, NULL, NULL, 'turn', 1790003621000, randomblob(32),
     '{"commands":[[{"kind":"move","unit":"a1","target":[1,2]}],[{"kind":"move","unit":"b1","target":[2,0]}]],"verdicts":[[{"verdict":"ok"}],[{"verdict":"ok"}]],"events":[{"kind":"moved","unit":"a1","from":[1,3],"to":[1,2]},{"kind":"moved","unit":"b1","from":[1,0],"to":[2,0]}],"hash":"0000000000000003","used_ms":[10000,11000],"bank_ms":[300000,300000]}'),
    (2, 7, 1, 1, NULL, NULL, 'turn', 1790003640000, randomblob(32),
     '{"commands":[[{"kind":"resign"}],[]],"verdicts":[[{"verdict":"ok"}],[]],"events":[],"hash":"0000000000000004","used_ms":[19000,0],"bank_ms":[300000,300000]}'),
    (2, 8, 1, 1, NULL, NULL, 'ended', 1790003640000, randomblob(32), '{"winner":1,"reason":"resignation"}'),
    (3, 1, 1, NULL, NULL, NULL, 'created', 1790007200000, randomblob(32), '{}'),
    (3, 2, 1, NULL, 0, NULL, 'joined', 1790007200000, randomblob(32), '{"starts":false}'),
    (3, 3, 1, NULL, 1, NULL, 'joined', 1790007210000, randomblob(32), '{"starts":true}'),
    (3, 4, 1, 0, 1, 'a', 'submission', 1790007220000, randomblob(32),
     '{"commands":[{"kind":"move","unit":"b1","target":[2,0]}],"verdicts":[{"verdict":"occupied","check":"occupied"}],"ready":false}'),
    (3, 5, 1, 0, 1, 'b', 'withdrawn', 1790007230000, randomblob(32), '{}'),
    (4, 1, 1, NULL, NULL, NULL, 'created', 1790007300000, randomblob(32), '{}'),
    (4, 2, 1, NULL, 0, NULL, 'joined', 1790007300000, randomblob(32), '{"starts":false}'),
    (5, 1, 1, NULL, NULL, NULL, 'created', 1790007400000, randomblob(32), '{}'),
    (5, 3, 1, NULL, 1, NULL, 'joined', 1790007410000, randomblob(32), 'not JSON at all'),
    (6, 1, 1, NULL, NULL, NULL, 'created', 1790007500000, randomblob(32), '{}'),
    (6, 2, 1, NULL, 0, NULL, 'joined', 1790007510000, randomblob(32), '{"starts":true}'),
    (6, 3, 1, 0, NULL, NULL, 'turn', 1790007515000, randomblob(32),
     '{"commands":[[{"kind":"move","unit":"a1","path":[[2,12],[4,12]]}],[{"kind":"move","unit":"b3","path":[[4,12]]}]],"verdicts":[[{"verdict":"ok"}],[{"verdict":"ok"}]],"events":[{"kind":"moved","unit":"a1","path":[[0,14],[2,12],[4,12]]},{"kind":"moved","unit":"b3","path":[[5,12],[4,12]]},{"kind":"collided","units":["a1","b3"],"at":[4,12]}],"hash":"0000000000000005","used_ms":[],"bank_ms":[]}'),
    (6, 4, 1, 1, NULL, NULL, 'ended', 1790007520000, randomblob(32), '{"winner":null,"reason":"draw_turn_limit"}'),
    (7, 1, 1, NULL, NULL, NULL, 'created', 1790007600000, randomblob(32), '{}'),
    (7, 2, 1, NULL, NULL, NULL, 'ended', 1790011200000, randomblob(32), '{"winner":null,"reason":"expired"}'),
    (8, 1, 1, NULL, NULL, NULL, 'created', 1790172800000, randomblob(32), '{}'),
    (8, 2, 1, NULL, 1, NULL, 'joined', 1790172800000, randomblob(32), '{"starts":true}'),
    (8, 3, 1, 0, NULL, NULL, 'turn', 1790172810000, randomblob(32),
     '{"commands":[[{"kind":"move","unit":"a1","target":[1,2]},{"kind":"move","unit":"a2","target":[2,2]}],[{"kind":"move","unit":"b1","target":[2,0]}]],"verdicts":[[{"verdict":"ok"},{"verdict":"ok"}],[{"verdict":"ok"}]],"events":[],"hash":"0000000000000080","used_ms":[],"bank_ms":[]}'),
    (8, 4, 1, 1, NULL, NULL, 'turn', 1790172820000, randomblob(32),
     '{"commands":[[],[]],"verdicts":[[],[]],"events":[{"kind":"died","unit":"a2"}],"hash":"0000000000000081","used_ms":[],"bank_ms":[]}'),
    (8, 5, 1, 2, NULL, NULL, 'turn', 1790172860000, randomblob(32),
     '{"commands":[[],[]],"verdicts":[[],[]],"events":[{"kind":"died","unit":"b1"}],"hash":"0000000000000082","used_ms":[],"bank_ms":[]}'),
    (8, 6, 1, 3, NULL, NULL, 'ended', 1790172860000, randomblob(32), '{"winner":0,"reason":"eliminated"}'),
    (9, 1, 1, NULL, NULL, NULL, 'created', 1790172900000, randomblob(32), '{}'),
    (9, 2, 1, NULL, 1, NULL, 'joined', 1790172900000, randomblob(32), '{"starts":true}'),
    (9, 3, 1, 0, NULL, NULL, 'turn', 1790172910000, randomblob(32),
     '{"commands":[[{"kind":"move","unit":"a2","target":[2,2]},{"kind":"move","unit":"a1","target":[1,2]}],[{"kind":"move","unit":"b1","target":[2,0]}]],"verdicts":[[{"verdict":"ok"},{"verdict":"ok"}],[{"verdict":"ok"}]],"events":[],"hash":"0000000000000090","used_ms":[],"bank_ms":[]}'),
    (9, 4, 1, 1, NULL, NULL, 'turn', 1790172960000, randomblob(32),
     '{"commands":[[],[]],"verdicts":[[],[]],"events":[{"kind":"died","unit":"b1"}],"hash":"0000000000000091","used_ms":[],"bank_ms":[]}'),
    (9, 5, 1, 2, NULL, NULL, 'ended', 1790172960000, randomblob(32), '{"winner":0,"reason":"eliminated"}'),
    (10, 1, 1, NULL, NULL, NULL, 'created', 1790176400000, randomblob(32), '{}'),
    (10, 2, 1, NULL, 1, NULL, 'joined', 1790176400000, randomblob(32), '{"starts":true}'),
    (10, 3, 1, 0, NULL, NULL, 'turn', 1790176410000, randomblob(32),
     '{"commands":[[{"kind":"move","dir":"ne"}],[]],"verdicts":[[{"verdict":"ok"}],[]],"events":[],"hash":"00000000000000a0","used_ms":[],"bank_ms":[]}'),
    (10, 4, 1, 1, NULL, NULL, 'turn', 1790176420000, randomblob(32),
     '{"commands":[[{"kind":"pick_up","item":"disc"}],[]],"verdicts":[[{"verdict":"ok"}],[]],"events":[],"hash":"00000000000000a1","used_ms":[],"bank_ms":[]}'),
    (10, 5, 1, 2, NULL, NULL, 'turn', 1790176430000, randomblob(32),
     '{"commands":[[{"kind":"use","item":"disc","dir":"e"}],[]],"verdicts":[[{"verdict":"ok"}],[]],"events":[],"hash":"00000000000000a2","used_ms":[],"bank_ms":[]}'),
    (10, 6, 1, 3, NULL, NULL, 'turn', 1790176440000, randomblob(32),
     '{"commands":[[],[{"kind":"move","dir":"sw"}]],"verdicts":[[],[{"verdict":"ok"}]],"events":[],"hash":"00000000000000a3","used_ms":[],"bank_ms":[]}'),
    (10, 7, 1, 4, NULL, NULL, 'turn', 1790176450000, randomblob(32),
     '{"commands":[[],[{"kind":"end_turn"}]],"verdicts":[[],[{"verdict":"ok"}]],"events":[],"hash":"00000000000000a4","used_ms":[],"bank_ms":[]}'),
    (10, 8, 1, 5, NULL, NULL, 'turn', 1790176460000, randomblob(32),
     '{"commands":[[{"kind":"move","dir":"n"}],[]],"verdicts":[[{"verdict":"ok"}],[]],"events":[],"hash":"00000000000000a5","used_ms":[],"bank_ms":[]}'),
    (10, 9, 1, 6, NULL, NULL, 'ended', 1790176460000, randomblob(32), '{"winner":0,"reason":"finished"}');

UPDATE record SET previous = (SELECT p.id FROM record p WHERE p.match = record.match AND p.seq = record.seq - 1);

INSERT INTO chain (match, last_seq, head, last_record, first_record)
SELECT match, max(seq), hash, id, (SELECT f.id FROM record f WHERE f.match = record.match AND f.seq = 1)
FROM record GROUP BY match;
