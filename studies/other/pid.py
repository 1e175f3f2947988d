#!/usr/bin/env python3
"""Tunes a controller: how well does this PID controller keep a furnace at its temperature?

Not a game: an example of a fitness of your own for `gamete`. Any program in any language can be one. It reads
questions from its standard input, one line of JSON each, until there are no more:

    {"id": 17, "genome": [2.0, 0.05, 10.0], "seed": 123456789}

and answers each with a line on its standard output, which must be flushed at once:

    {"id": 17, "fitness": 4.25}

or, if it cannot, {"id": 17, "error": "why"}. The same genome and seed must always give the same fitness: whatever
is left to chance comes from the seed. What is for people goes to standard error. To try it by hand:

    echo '{"id": 1, "genome": [2, 0.05, 10], "seed": 7}' | python3 studies/other/pid.py

The genome is kp, ki, kd: the heater's power in per cent is kp * e + ki * (integral of e) + kd * (change of e a second),
where e is how many degrees are missing. The fitness is to be as low as possible: the mean error in degrees, plus a
little for restless power. The furnace follows its heater slowly (a lag of the first order) and late (a dead time);
the thermometer is noisy, the wanted temperature changes once, and somebody opens the door.
"""

import json
import random
import sys

SECONDS = 900.0  # a run
STEP = 1.0  # between two decisions of the controller
LAG = 80.0  # of the furnace, in seconds
DEAD_TIME = 12  # until the heater is felt, in steps
GAIN = 4.0  # degrees above the room a per cent of power, in the long run
ROOM = 20.0
NOISE = 0.5  # of the thermometer, in degrees
RESTLESS = 0.02  # what a per cent of change in power costs, in degrees


def run(kp, ki, kd, seed):
    """The cost of a run with this controller. Less is better."""
    chance = random.Random(seed)
    change_at = chance.uniform(0.35, 0.5) * SECONDS
    door_at = chance.uniform(0.65, 0.8) * SECONDS
    temperature, power, integral = ROOM, 0.0, 0.0
    on_its_way = [0.0] * DEAD_TIME
    before = None
    cost, steps = 0.0, int(SECONDS / STEP)
    for step in range(steps):
        now = step * STEP
        wanted = 180.0 if now < change_at else 220.0
        error = wanted - (temperature + chance.gauss(0.0, NOISE))
        slope = 0.0 if before is None else (error - before) / STEP
        before = error
        asked = kp * error + ki * (integral + error * STEP) + kd * slope
        last, power = power, min(100.0, max(0.0, asked))
        # A heater that can do no more must not let the integral grow: it would take as long to shrink again.
        if asked == power:
            integral += error * STEP
        on_its_way.append(power)
        loss = 60.0 if door_at <= now < door_at + 30.0 else 0.0
        goal = ROOM + GAIN * on_its_way.pop(0) - loss
        temperature += (goal - temperature) * STEP / LAG
        cost += abs(wanted - temperature) + RESTLESS * abs(power - last)
    return cost / steps


def answer(question):
    """The answer to a question."""
    try:
        kp, ki, kd = question["genome"]
        return {"id": question["id"], "fitness": run(kp, ki, kd, question["seed"])}
    except (KeyError, TypeError, ValueError) as problem:
        return {"id": question.get("id"), "error": f"wanted are three genes and a seed ({problem!r})"}


def main():
    """Answers questions until there are no more."""
    for line in sys.stdin:
        if line.strip():
            print(json.dumps(answer(json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
