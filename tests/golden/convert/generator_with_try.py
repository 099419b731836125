def known(values, table):
    for value in values:
        try:
            found = table[value]
        except KeyError:
            continue
        yield found
