#pragma once

#include "lantern/operators.h"

/// Type-and-shape rules that the rows of the operator table name. Each throws TypeMismatch.
namespace lantern::rules {

Type arithmetic(const Application&);   // broadcast, promoted; not of arrays of bool
Type combination(const Application&);  // the same, but two arrays of bool give one, as in NumPy
Type true_division(const Application&);
Type power(const Application&);
Type negation(const Application&);     // number or tensor, its own type; not of an array of bool
Type magnitude(const Application&);    // the same, of an array of bool too
Type real_function(const Application&);  // floating; integers become f64
Type real_function_of_two(const Application&);
Type larger(const Application&);         // maximum, minimum: of bools a bool
Type comparison(const Application&);  // also of strings
Type logic(const Application&);
Type bitwise(const Application&);        // of two bools a bool, else an integer
Type bit_not(const Application&);
Type shift(const Application&);
Type where(const Application&);
Type clip(const Application&);
Type cast(const Application&);
Type item(const Application&);
Type matmul(const Application&);
Type outer(const Application&);
Type transpose(const Application&);
Type product_with_transposed(const Application&);
Type transposed_product(const Application&);
Type solution(const Application&);       // of a square matrix and a vector or matrix, its type; floating
Type square_matrix(const Application&);  // its type; floating
Type determinant(const Application&);    // of a square matrix, of rank 0; floating
Type total(const Application&);          // sum, prod: of all, or along an axis; of integers in 64 bits
Type extreme(const Application&);        // max, min: of all, or along an axis
Type mean(const Application&);           // floating; of all, or along an axis
Type position(const Application&);       // argmax, argmin: of all, or along an axis
Type mask_of_second(const Application&);
Type softmax(const Application&);
Type cross_entropy(const Application&);
Type concat(const Application&);
Type concat_along(const Application&);   // behind an axis
Type patches(const Application&);        // [n,h,w,c] → [n,rows,columns,height·width,c]
Type stack(const Application&);
Type slice(const Application&);
Type index(const Application&);
Type with_item(const Application&);      // an array, places along its first axes, and what is to stand there
Type with_slice(const Application&);      // an array, places along its first axes, and what is to stand there
Type gather(const Application&);
Type along_axis(const Application&);
Type cumsum(const Application&);
Type swap_axes(const Application&);
Type repeat(const Application&);
Type take(const Application&);
Type scatter(const Application&);        // an array, places of its first axis, rows for them
Type arange(const Application&);
Type reshape(const Application&);
Type filled(const Application&);         // zeros, ones: dtype, dims
Type full(const Application&);
Type drawn(const Application&);          // uniform, normal: dtype, two numbers, dims
Type drawn_by_key(const Application&);   // dtype, key, dims
Type seeded(const Application&);
Type derived_key(const Application&);
Type derived_keys(const Application&);   // [n] of them
Type like_first(const Application&);
Type like_second(const Application&);    // the second operand's shape, the first's dtype
Type brought_to_second(const Application&);  // the same, onto which the first broadcasts
Type dtype_of_second(const Application&);
Type identity(const Application&);
Type shape(const Application&);
Type length(const Application&);
Type rounded_number(const Application&);  // an f64 and how many digits → f64
Type of_whole_numbers(const Application&);  // → i64
Type weights_file(const Application&);   // written or read: an effect without a value
Type empty_list(const Application&);
Type append(const Application&);
Type write(const Application&);
Type shorter(const Application&);        // a list without an element
Type like_list(const Application&);      // the second operand's type, a list
Type place(const Application&);          // an index
Type argsort(const Application&);
Type strided(const Application&);
Type vocabulary(const Application&);
Type treebank(const Application&);
Type array_file(const Application&);     // of the type that stands in front
Type table_file(const Application&);     // the same, a matrix
Type word_vectors(const Application&);
Type checkpoint(const Application&);     // a path, arrays
Type dataset(const Application&);
Type text(const Application&);
Type laid_out_text(const Application&);
Type quoted_text(const Application&);
Type number_as_key(const Application&);    // f64 → f64
Type place_of_key(const Application&);     // slots, lists of parts of keys, a key's parts → i64
Type slots_with_key(const Application&);   // slots, lists of parts of keys → (list i64)
Type slots_of_keys(const Application&);    // a size, numbers of keys, lists of parts of keys → (list i64)
// Of texts, and whole numbers behind them:
Type changed_text(const Application&);   // up to three texts → string
Type text_at_places(const Application&);  // of one text → string
Type parts_of_text(const Application&);  // → (list string)
Type lines_of_text(const Application&);  // and a bool, the same
Type number_of_texts(const Application&);  // of up to two → i64
Type question_of_texts(const Application&);  // → bool
Type question_of_numbers(const Application&);  // of one text → bool
Type parsed_int(const Application&);     // of one text → i64
Type parsed_float(const Application&);   // → f64
Type text_of_code(const Application&);   // of a whole number → string
Type foreign_call(const Application&);   // the same, or a tuple of such
Type host_call(const Application&);      // the type that stands in front

}  // namespace lantern::rules
