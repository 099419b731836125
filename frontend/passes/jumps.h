#pragma once

#include <functional>
#include <string>

#include "frontend/passes/function.h"

/// What `return`, `break` and `continue` have in common: a jump becomes a flag, and what it jumps over a guarded
/// statement. Where a branch of an `if` always jumps, what follows the `if` moves into the other branch instead, and
/// no flag is needed:
///
///     if a: JUMP                 if a: flag = True
///     rest                       else: rest
///
///     if a:                      if a:
///         if b: JUMP                 if b: flag = True
///     rest                       if not flag: rest
namespace lantern::passes {

struct Jump {
  std::function<bool(const syntax::Stmt&)> is_jump;
  std::function<syntax::Block(syntax::StmtPtr)> replace;  // the statements in the jump's place
  std::string flag;                                       // true behind a jump
  bool leaves_loops = false;                              // those around it
  std::set<const syntax::Stmt*> loops = {};               // those that end with the flag set, perhaps
};

/// Whether the block contains such a jump: not in nested functions or classes, nor in the bodies of loops.
bool contains(const syntax::Block& block, const Jump& jump);

/// An exception that a `finally` or a `with` raises on the way out takes the jump's place: where the statement catches or
/// swallows it, the flag is reset.
///
///     try: …                           with m:
///     except E:                            try: …
///         flag = False                     except: flag = False; raise
/// Before the jumps are rewritten.
void cancel_where_caught(syntax::Block& block, const Jump& jump);

/// Rewrites the jumps in a block. Returns whether something reads the flag.
bool lower_jumps(syntax::Block& block, const Jump& jump);

/// `flag = value`
syntax::StmtPtr set_flag(const std::string& flag, bool value, const syntax::Range& at);

/// Removes `flag = …` from a function's code, for a flag that nobody reads.
void remove_flag(Function& function, const std::string& flag);

}  // namespace lantern::passes
