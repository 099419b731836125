direct scores(h)
  return (+ (matmul head h) head_bias)
cps scores(h h_adj; k)
  let x1 = (+ (matmul head h) head_bias)
  let x1_adj = 0
  mark
  k x1 x1_adj
  ; reverse sweep
  reset
  head_bias_adj += x1_adj
  head_adj += (outer x1_adj h)
  h_adj += (matmul (transpose head) x1_adj)
direct encode(tree)
  variable o
  variable c
  variable loss_below
  variable right_below
  if (none? (getattr tree left))
    let word = (gather embedding (getattr tree word))
    let x5 = (+ (matmul leaf word) leaf_bias)
    let i = (slice x5 0 150)
    o := (slice x5 150 300)
    let u = (slice x5 300 450)
    c := (* (sigmoid i) (tanh u))
    loss_below := (zeros f32)
    right_below := 0
  else
    let h_left c_left loss_left right_left h_right c_right loss_right right_right =
    together: λ
      return (encode (getattr tree left))
    together: λ
      return (encode (getattr tree right))
    let gates = (+ (matmul inner (concat h_left h_right)) inner_bias)
    let i_1 = (slice gates 0 150)
    let f_left = (slice gates 150 300)
    let f_right = (slice gates 300 450)
    o := (slice gates 450 600)
    let u_1 = (slice gates 600 750)
    c := (+ (+ (* (sigmoid i_1) (tanh u_1)) (* (sigmoid f_left) c_left)) (* (sigmoid f_right) c_right))
    loss_below := (+ loss_left loss_right)
    right_below := (+ right_left right_right)
  let h = (* (sigmoid o) (tanh c))
  let scores_1 = (scores h)
  let loss = (cross_entropy scores_1 (getattr tree label))
  let loss_1 = (+ loss loss_below)
  let right = (+ right_below (== (argmax scores_1) (getattr tree label)))
  return h c loss_1 right
cps encode(tree; k)
  join = λ o_2 o_2_adj c_2 c_2_adj loss_below_2 loss_below_2_adj right_below_1
    let x21 = (overwrite o_2 (sigmoid o_2))
    let x22 = (tanh c_2)
    let h = (* x21 x22)
    let h_adj = 0
    mark
    scores h h_adj then λ scores_1 scores_1_adj
      let loss = (cross_entropy scores_1 (getattr tree label))
      let loss_1 = (+ loss loss_below_2)
      let right = (+ right_below_1 (== (argmax scores_1) (getattr tree label)))
      let loss_1_adj = 0
      mark
      k h h_adj c_2 c_2_adj loss_1 loss_1_adj right
      ; reverse sweep
      reset
      loss_below_2_adj += loss_1_adj
      scores_1_adj += (* loss_1_adj (- (softmax scores_1) (one-hot (getattr tree label) scores_1)))
    ; reverse sweep
    reset
    let x21_adj = (* h_adj x22)
    c_2_adj += (* (* h_adj x21) (- 1.0 (* x22 x22)))
    o_2_adj += (* x21_adj (* x21 (- 1.0 x21)))
  if (none? (getattr tree left))
    let word = (gather embedding (getattr tree word))
    let x5 = (+ (matmul leaf word) leaf_bias)
    let i = (slice x5 0 150)
    let o = (slice x5 150 300)
    let u = (slice x5 300 450)
    let x6 = (overwrite i (sigmoid i))
    let x7 = (overwrite u (tanh u))
    let c = (* x6 x7)
    let loss_below = (zeros f32)
    let o_adj = 0
    let c_adj = 0
    let loss_below_adj = 0
    mark
    join o o_adj c c_adj loss_below loss_below_adj 0
    ; reverse sweep
    reset
    let x5_adj = (concat (* (* c_adj x7) (* x6 (- 1.0 x6))) o_adj (* (* c_adj x6) (- 1.0 (* x7 x7))))
    leaf_bias_adj += x5_adj
    leaf_adj += (outer x5_adj word)
    let word_adj = (matmul (transpose leaf) x5_adj)
    embedding_adj += (row-at (getattr tree word) word_adj embedding)
  else
    together: λ k
      encode (getattr tree left) then k
    together: λ k
      encode (getattr tree right) then k
    then λ h_left h_left_adj c_left c_left_adj loss_left loss_left_adj right_left h_right h_right_adj c_right c_right_adj loss_right loss_right_adj right_right
      let x11 = (lazy (joined h_left h_right))
      let gates = (+ (matmul inner x11) inner_bias)
      let i_1 = (slice gates 0 150)
      let f_left = (slice gates 150 300)
      let f_right = (slice gates 300 450)
      let o_1 = (slice gates 450 600)
      let u_1 = (slice gates 600 750)
      let x13 = (overwrite i_1 (sigmoid i_1))
      let x14 = (overwrite u_1 (tanh u_1))
      let x16 = (overwrite f_left (sigmoid f_left))
      let x19 = (overwrite f_right (sigmoid f_right))
      let c_1 = (+ (+ (* x13 x14) (* x16 c_left)) (* x19 c_right))
      let loss_below_1 = (+ loss_left loss_right)
      let right_below = (+ right_left right_right)
      let o_1_adj = 0
      let c_1_adj = 0
      let loss_below_1_adj = 0
      mark
      join o_1 o_1_adj c_1 c_1_adj loss_below_1 loss_below_1_adj right_below
      ; reverse sweep
      reset
      loss_left_adj += loss_below_1_adj
      loss_right_adj += loss_below_1_adj
      c_right_adj += (* c_1_adj x19)
      c_left_adj += (* c_1_adj x16)
      let gates_adj = (concat (* (* c_1_adj x14) (* x13 (- 1.0 x13))) (* (* c_1_adj c_left) (* x16 (- 1.0 x16))) (* (* c_1_adj c_right) (* x19 (- 1.0 x19))) o_1_adj (* (* c_1_adj x13) (- 1.0 (* x14 x14))))
      inner_bias_adj += gates_adj
      inner_adj += (outer gates_adj x11)
      let x11_adj = (matmul (transpose inner) gates_adj)
      h_left_adj += (slice x11_adj 0 150)
      h_right_adj += (slice x11_adj 150 300)
cps loss(tree; k)
  encode tree then λ h h_adj c c_adj loss loss_adj right
    k loss loss_adj
direct size(tree)
  if (none? (getattr tree left))
    return 1
  else
    let x3 = (size (getattr tree left))
    return (+ (+ 1 x3) (size (getattr tree right)))
direct accuracy(path, words)
  if (== path "")
    return 0.0 0.0
  else
    let trees = (read-treebank Tree path words)
    let turns = (length trees)
    variable right_roots = 0
    variable right_nodes = 0
    variable nodes = 0
    each λ i below turns
      let tree = (index trees i)
      let h c loss right = (encode tree)
      let x5 = (argmax (scores h))
      return (== x5 (getattr tree label)) right (size tree)
    then, of each i, λ x7 right x10
      right_roots right_nodes nodes := (+ right_roots x7) (+ right_nodes right) (+ nodes x10)
    return (/ right_roots (length trees)) (/ right_nodes nodes)
direct train(train, dev, test, epochs, seed, learning_rate, save)
  (seed seed)
  let words = (read-vocabulary train)
  let trees = (read-treebank Tree train words)
  let x0 = (length words)
  initialize embedding x0 300
  initialize leaf 450 300
  initialize leaf_bias 450
  initialize inner 750 300
  initialize inner_bias 750
  initialize head 5 150
  initialize head_bias 5
  initialize embedding.adagrad x0 300
  initialize leaf.adagrad 450 300
  initialize leaf_bias.adagrad 450
  initialize inner.adagrad 750 300
  initialize inner_bias.adagrad 750
  initialize head.adagrad 5 150
  initialize head_bias.adagrad 5
  variable best = 0.0
  variable test_roots = 0.0
  variable test_nodes = 0.0
  mark
  for epoch in (range 0 epochs 1)
    let x2 = (shuffle trees)
    variable total = 0.0
    mark
    for tree in (progress x2 "training")
      loss_1 = value of loss tree and its gradient wrt embedding leaf leaf_bias inner inner_bias head head_bias
      step by embedding, touched rows only
        embedding := (- embedding (/ (* learning_rate (gradient embedding)) (+ (sqrt (+ embedding.adagrad (* (gradient embedding) (gradient embedding)))) 1.e-10)))
        embedding.adagrad := (+ embedding.adagrad (* (gradient embedding) (gradient embedding)))
      step by leaf, touched rows only
        leaf := (- leaf (/ (* learning_rate (gradient leaf)) (+ (sqrt (+ leaf.adagrad (* (gradient leaf) (gradient leaf)))) 1.e-10)))
        leaf.adagrad := (+ leaf.adagrad (* (gradient leaf) (gradient leaf)))
      step by leaf_bias, touched rows only
        leaf_bias := (- leaf_bias (/ (* learning_rate (gradient leaf_bias)) (+ (sqrt (+ leaf_bias.adagrad (* (gradient leaf_bias) (gradient leaf_bias)))) 1.e-10)))
        leaf_bias.adagrad := (+ leaf_bias.adagrad (* (gradient leaf_bias) (gradient leaf_bias)))
      step by inner, touched rows only
        inner := (- inner (/ (* learning_rate (gradient inner)) (+ (sqrt (+ inner.adagrad (* (gradient inner) (gradient inner)))) 1.e-10)))
        inner.adagrad := (+ inner.adagrad (* (gradient inner) (gradient inner)))
      step by inner_bias, touched rows only
        inner_bias := (- inner_bias (/ (* learning_rate (gradient inner_bias)) (+ (sqrt (+ inner_bias.adagrad (* (gradient inner_bias) (gradient inner_bias)))) 1.e-10)))
        inner_bias.adagrad := (+ inner_bias.adagrad (* (gradient inner_bias) (gradient inner_bias)))
      step by head, touched rows only
        head := (- head (/ (* learning_rate (gradient head)) (+ (sqrt (+ head.adagrad (* (gradient head) (gradient head)))) 1.e-10)))
        head.adagrad := (+ head.adagrad (* (gradient head) (gradient head)))
      step by head_bias, touched rows only
        head_bias := (- head_bias (/ (* learning_rate (gradient head_bias)) (+ (sqrt (+ head_bias.adagrad (* (gradient head_bias) (gradient head_bias)))) 1.e-10)))
        head_bias.adagrad := (+ head_bias.adagrad (* (gradient head_bias) (gradient head_bias)))
      total := (+ total (item loss_1))
      reset
    print (join-strings "epoch " (string (+ epoch 1)) ": mean loss " (format ".4f" (/ total (length trees))))
    let dev_roots dev_nodes = (accuracy dev words)
    if (!= dev "")
      print (join-strings "  dev accuracy: roots " (format ".4f" dev_roots) ", all nodes " (format ".4f" dev_nodes))
    else
    if (>= dev_roots best)
      let test_roots_1 test_nodes_1 = (accuracy test words)
      if (!= save "")
        (save-parameters save words)
      else
      best test_roots test_nodes := dev_roots test_roots_1 test_nodes_1
    else
    reset
  if (!= test "")
    print (join-strings "test accuracy: roots " (format ".4f" test_roots) ", all nodes " (format ".4f" test_nodes))
    return 
  else
    return 
direct evaluate(weights, data)
  let words = (load-vocabulary weights)
  initialize embedding (length words) 300
  initialize leaf 450 300
  initialize leaf_bias 450
  initialize inner 750 300
  initialize inner_bias 750
  initialize head 5 150
  initialize head_bias 5
  (load-parameters weights)
  let roots nodes = (accuracy data words)
  print (join-strings "accuracy: roots " (format ".4f" roots) ", all nodes " (format ".4f" nodes))
  return 
direct guess(tree)
  let h c loss right = (encode tree)
  return (argmax (scores h))
direct predict(weights, data)
  let words = (load-vocabulary weights)
  initialize embedding (length words) 300
  initialize leaf 450 300
  initialize leaf_bias 450
  initialize inner 750 300
  initialize inner_bias 750
  initialize head 5 150
  initialize head_bias 5
  (load-parameters weights)
  let x2 = (read-treebank Tree data words)
  mark
  for tree in x2
    print (guess tree)
    reset
  return 
