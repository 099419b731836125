cps loss(row, x; k)
  let x%_2 = (gather table row)
  let x%_5 = (+ (matmul weight x) (sum (square x%_2)))
  let x%_5_adj = 0
  mark
  k x%_5 x%_5_adj
  ; reverse sweep
  reset
  table_adj += (row-at row (* x%_5_adj (* 2.0 x%_2)) table)
  weight_adj += (* x%_5_adj x)
direct step(row, x, rate)
  value = value of loss row x and its gradient wrt weight table
  step by weight, touched rows only
    weight.adagrad := (+ weight.adagrad (square (gradient weight)))
    weight := (- weight (/ (* rate (gradient weight)) (+ (sqrt (+ weight.adagrad (square (gradient weight)))) 1.e-10)))
  step by table, touched rows only
    table.adagrad := (+ table.adagrad (square (gradient table)))
    table := (- table (/ (* rate (gradient table)) (+ (sqrt (+ table.adagrad (square (gradient table)))) 1.e-10)))
  return value
