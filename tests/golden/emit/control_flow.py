def total(rows, limit):
    out, scale = [], 2

    def scaled(value):
        return value * scale

    for row in rows:
        try:
            x = scaled(row)
        except TypeError as error:
            out.append(lambda: error)
            continue
        finally:
            scale = 3
        if x > limit:
            break
    else:
        x = [row for row in rows if (last := row)]
    return out, x
