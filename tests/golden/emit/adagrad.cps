cps loss(row, x; k)
  let t_2 = (gather table row)
  let t_3 = (square t_2)
  let t_5 = (+ (matmul weight x) (sum t_3))
  let t_5_adj = 0
  mark
  k t_5 t_5_adj
  ; reverse sweep
  reset
  let t_3_adj = (like t_5_adj t_3)
  table_adj += (row-at row (* t_3_adj (* 2.0 t_2)) table)
  weight_adj += (* t_5_adj x)
direct step(row, x, rate)
  value = value of loss row x and its gradient wrt weight table
  step by weight, touched rows only
    weight.adagrad := (+ weight.adagrad (square (gradient weight)))
    weight := (- weight (/ (* rate (gradient weight)) (+ (sqrt (+ weight.adagrad (square (gradient weight)))) 1.e-10)))
  step by table, touched rows only
    table.adagrad := (+ table.adagrad (square (gradient table)))
    table := (- table (/ (* rate (gradient table)) (+ (sqrt (+ table.adagrad (square (gradient table)))) 1.e-10)))
  return value
