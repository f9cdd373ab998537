<?php
// A halma player as a web service: php -S 127.0.0.1:PORT halma.php
//
// It is asked with the board as JSON and answers with one move.  Each free piece is
// drawn to its own empty destination, the farthest one first; the move that shortens
// the sum of all ways most is made.

declare(strict_types=1);

function key_of(int $x, int $y): int
{
    return $x * 1000 + $y;
}

/** Every square that the piece can reach, with the shortest way there: key => [[x, y], ...] */
function ways(array $piece, array $taken, int $size): array
{
    $start = key_of($piece['x'], $piece['y']);
    $is_free = fn(int $x, int $y): bool => $x >= 0 && $y >= 0 && $x < $size && $y < $size
        && (!isset($taken[key_of($x, $y)]) || key_of($x, $y) === $start);
    $found = [];
    for ($dx = -1; $dx <= 1; $dx++) {
        for ($dy = -1; $dy <= 1; $dy++) {
            [$x, $y] = [$piece['x'] + $dx, $piece['y'] + $dy];
            if (($dx || $dy) && $is_free($x, $y)) {
                $found[key_of($x, $y)] = [[$x, $y]];
            }
        }
    }
    if ($piece['damage'] > 0) {
        return $found;
    }
    $waiting = [[$piece['x'], $piece['y'], []]];
    $seen = [$start => true];
    for ($i = 0; $i < count($waiting); $i++) {
        [$fx, $fy, $way] = $waiting[$i];
        for ($dx = -1; $dx <= 1; $dx++) {
            for ($dy = -1; $dy <= 1; $dy++) {
                $over = key_of($fx + $dx, $fy + $dy);
                [$x, $y] = [$fx + 2 * $dx, $fy + 2 * $dy];
                if ((!$dx && !$dy) || !isset($taken[$over]) || $over === $start
                    || isset($seen[key_of($x, $y)]) || !$is_free($x, $y)) {
                    continue;
                }
                $seen[key_of($x, $y)] = true;
                $longer = [...$way, [$x, $y]];
                $found[key_of($x, $y)] = $longer;
                $waiting[] = [$x, $y, $longer];
            }
        }
    }
    return $found;
}

function distance(array $a, array $b): int
{
    return max(abs($a['x'] - $b['x']), abs($a['y'] - $b['y']));
}

/** What is still to go: each empty destination takes the nearest piece that has none. */
function to_go(array $pieces, array $goals): float
{
    $sum = 0.0;
    foreach ($goals as $goal) {
        $nearest = null;
        foreach ($pieces as $i => $piece) {
            $far = distance($piece, $goal);
            if ($nearest === null || $far < $nearest[1]) {
                $nearest = [$i, $far];
            }
        }
        if ($nearest === null) {
            break;
        }
        $sum += $nearest[1] + ($nearest[1] > 0 ? 0.5 : 0);
        unset($pieces[$nearest[0]]);
    }
    foreach ($pieces as $piece) {
        $sum += min(array_map(fn($goal) => distance($piece, $goal), $goals)) / 20;
    }
    return $sum;
}

function choose(array $board): array
{
    $taken = [];
    foreach ([...$board['pieces'], ...$board['enemy']] as $piece) {
        $taken[key_of($piece['x'], $piece['y'])] = true;
    }
    $best = null;
    foreach ($board['pieces'] as $i => $piece) {
        foreach (ways($piece, $taken, $board['boardSize']) as $way) {
            $pieces = $board['pieces'];
            [$pieces[$i]['x'], $pieces[$i]['y']] = end($way);
            $value = to_go($pieces, $board['destinations']) + mt_rand() / mt_getrandmax() / 4;
            if ($best === null || $value < $best[0]) {
                $best = [$value, $piece, $way];
            }
        }
    }
    if ($best === null) { // nothing can move: hold
        $piece = $board['pieces'][0];
        $best = [0, $piece, [[$piece['x'], $piece['y']]]];
    }
    return [
        'from' => ['x' => $best[1]['x'], 'y' => $best[1]['y']],
        'to' => array_map(fn($cell) => ['x' => $cell[0], 'y' => $cell[1]], $best[2]),
    ];
}

header('Content-Type: application/json');
echo json_encode(choose(json_decode(file_get_contents('php://input'), true, 32, JSON_THROW_ON_ERROR)));
