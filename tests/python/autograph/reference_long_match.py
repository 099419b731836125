"""`match` with more cases than nest: they are asked in groups."""
from programs import runs


@runs((0,), (29,), (30,), (31,), (63,), (64,), (-5,))
def by_value(n):
    match n:
        case 0: y = 0
        case 1: y = 1
        case 2: y = 4
        case 3: y = 9
        case 4: y = 16
        case 5: y = 8
        case 6: y = 2
        case 7: y = 15
        case 8: y = 13
        case 9: y = 13
        case 10: y = 15
        case 11: y = 2
        case 12: y = 8
        case 13: y = 16
        case 14: y = 9
        case 15: y = 4
        case 16: y = 1
        case 17: y = 0
        case 18: y = 1
        case 19: y = 4
        case 20: y = 9
        case 21: y = 16
        case 22: y = 8
        case 23: y = 2
        case 24: y = 15
        case 25: y = 13
        case 26: y = 13
        case 27: y = 15
        case 28: y = 2
        case 29: y = 8
        case 30: y = 16
        case 31: y = 9
        case 32: y = 4
        case 33: y = 1
        case 34: y = 0
        case 35: y = 1
        case 36: y = 4
        case 37: y = 9
        case 38: y = 16
        case 39: y = 8
        case 40: y = 2
        case 41: y = 15
        case 42: y = 13
        case 43: y = 13
        case 44: y = 15
        case 45: y = 2
        case 46: y = 8
        case 47: y = 16
        case 48: y = 9
        case 49: y = 4
        case 50: y = 1
        case 51: y = 0
        case 52: y = 1
        case 53: y = 4
        case 54: y = 9
        case 55: y = 16
        case 56: y = 8
        case 57: y = 2
        case 58: y = 15
        case 59: y = 13
        case 60: y = 13
        case 61: y = 15
        case 62: y = 2
        case 63: y = 8
        case _: y = -1
    return y


@runs((0, 1.5), (29, -1.5), (30, 2.5), (31, 0.0), (33, 1.0), (34, 3.0), (99, 1.0))
def that_returns_and_leaves_loops(n, x):
    total = 0.0
    for i in range(3):
        match n + i, x:
            case (0, y) if y > -2: total += x
            case (1, _): continue
            case (2, _): break
            case (3, y) if y > 1: return total
            case (4, _): total += x
            case (5, _): continue
            case (6, y) if y > -1: break
            case (7, _): return total
            case (8, _): total += x
            case (9, y) if y > 2: continue
            case (10, _): break
            case (11, _): return total
            case (12, y) if y > 0: total += x
            case (13, _): continue
            case (14, _): break
            case (15, y) if y > -2: return total
            case (16, _): total += x
            case (17, _): continue
            case (18, y) if y > 1: break
            case (19, _): return total
            case (20, _): total += x
            case (21, y) if y > -1: continue
            case (22, _): break
            case (23, _): return total
            case (24, y) if y > 2: total += x
            case (25, _): continue
            case (26, _): break
            case (27, y) if y > 0: return total
            case (28, _): total += x
            case (29, _): continue
            case (30, y) if y > -2: break
            case (31, _): return total
            case (32, _): total += x
            case (33, y) if y > 1: continue
            case (34, _): break
            case (35, _): return total
        total += 1
    return total


@runs((2,), (31,), (40,))
def without_a_case_that_fits_all(n):
    y = 0
    match n, n:
        case [0, 0 as k]: y = k + 0
        case [1, 1 as k]: y = k + 1
        case [2, 2 as k]: y = k + 2
        case [3, 3 as k]: y = k + 3
        case [4, 4 as k]: y = k + 4
        case [5, 5 as k]: y = k + 5
        case [6, 6 as k]: y = k + 6
        case [7, 7 as k]: y = k + 7
        case [8, 8 as k]: y = k + 8
        case [9, 9 as k]: y = k + 9
        case [10, 10 as k]: y = k + 10
        case [11, 11 as k]: y = k + 11
        case [12, 12 as k]: y = k + 12
        case [13, 13 as k]: y = k + 13
        case [14, 14 as k]: y = k + 14
        case [15, 15 as k]: y = k + 15
        case [16, 16 as k]: y = k + 16
        case [17, 17 as k]: y = k + 17
        case [18, 18 as k]: y = k + 18
        case [19, 19 as k]: y = k + 19
        case [20, 20 as k]: y = k + 20
        case [21, 21 as k]: y = k + 21
        case [22, 22 as k]: y = k + 22
        case [23, 23 as k]: y = k + 23
        case [24, 24 as k]: y = k + 24
        case [25, 25 as k]: y = k + 25
        case [26, 26 as k]: y = k + 26
        case [27, 27 as k]: y = k + 27
        case [28, 28 as k]: y = k + 28
        case [29, 29 as k]: y = k + 29
        case [30, 30 as k]: y = k + 30
        case [31, 31 as k]: y = k + 31
        case [32, 32 as k]: y = k + 32
    return y
