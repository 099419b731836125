cps tree_prod(base base_adj, tree; k)
  if (getattr tree is_empty)
    k base base_adj
  else
    tree_prod base base_adj (getattr tree left) then λ l l_adj
      tree_prod base base_adj (getattr tree right) then λ r r_adj
        let x6 = (* (* l r) (getattr tree value))
        let x6_adj = 0
        k x6 x6_adj
        ; reverse sweep
        let x4_adj = (* x6_adj (getattr tree value))
        l_adj += (* x4_adj r)
        r_adj += (* x4_adj l)
