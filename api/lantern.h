/* Lantern's C API. Text goes in with its length (UTF-8, no terminator needed), text comes out. Every call returns a
 * result that the caller frees; none throws, prints or exits. Calls may be made from several threads at once. */
#ifndef LANTERN_API_LANTERN_H
#define LANTERN_API_LANTERN_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lantern_result lantern_result;

/* 0 fine; 1 the user's program is wrong; 2 the call is wrong; 3 a bug in Lantern; 4 environment: files, memory,
 * compiler. As the command's exit codes. */
int lantern_result_outcome(const lantern_result* result);

/* What was asked for; "" where the outcome is not fine. Ends in a zero byte, which `*length` (may be NULL) does not
 * count; the text may hold others. Valid until the result is freed, as are the diagnostics. */
const char* lantern_result_text(const lantern_result* result, size_t* length);

/* What the options asked to be told beside the text, for people; "" if nothing. Also there where the outcome is not fine. */
const char* lantern_result_log(const lantern_result* result);

/* A JSON array, in source order, of {code, file, line, column, end_line, end_column, message, hint, notes,
 * source_line, outcome, rendered}; notes is an array of {file, line, column, end_line, end_column, message}. Lines and
 * columns count from 1, columns in characters; 0 stands for an unknown place. `rendered` is the diagnostic as the
 * command line shows it. */
const char* lantern_result_diagnostics_json(const lantern_result* result);

void lantern_result_free(lantern_result* result);

/* Options are a JSON object, or NULL for none; an option that is not named below is an error. File names serve
 * diagnostics only: no file is read. Where there is a bug in Lantern (outcome 3), lantern_compile writes the program that
 * shows it into the folder for temporary files, and the diagnostic says where. */

/* Python to converted Python. Options: {"line": n, "name": s, "column": n} to convert the one function that begins
 * there; none for the whole file. The text is a JSON object: {"code": converted text, "map": [[out_line, out_column,
 * line, column, end_line, end_column], …], "free_variables": [names that the one function closes over], and "comments" as below, if it has any}, or
 * {"unconverted": reason, "diagnostic": code} for a function that stays plain Python.
 * With {"emit": "comments"}, what the user says of the file's logical lines: [[line, last line, text], ...].
 * With {"emit": "analysis"}, what the analyses say of the whole file, for people: {"analysis": text}. */
lantern_result* lantern_convert(const char* source, size_t length, const char* filename, const char* options_json);

/* A program's S-expressions to the text of a stage. Options:
 *   emit   "sexpr", "ir", "cps", "cpp" (header and source in one text),
 *          "files" (a JSON object {file name: text}), "manifest" (JSON: the entries with
 *          their arguments and results, the structures, parameters and states, with their types),
 *          "explore" (JSON: every stage line by line, with where each line comes from; api/explore.h), "so" (builds; the text is the shared object's path)
 *   name   of the program, which becomes the C++ namespace and the files' names; by default the file's, without suffix
 *   namespace  of the C++, "a::b"; by default the program's name
 *   standalone true: "files" also gives the runtime's headers that these include, so that Eigen is all they need
 *   dtype  taken and without effect: S-expressions state their types
 *   source the file the user wrote, as the generated code's first line names it; by default the file's name
 *   folders [folder, …] where the headers of (extern …) are looked for, to build "so"
 *   schedule "auto", "batched" or "depth-first": when calls that do not depend on each other are made side by side
 *   remarks true: into the log, which calls are batched, and which are not and why
 * and, for whoever works on the compiler, with the names that `lantern compile --help` lists:
 *   print_after [pass, …] into the log, the program behind these passes ("all": behind each)
 *   disable     [pass, …] passes to leave out, of those that only improve the program
 *   time        true: into the log, how long each pass took
 *   bug_in      a pass that reports a bug: tests what happens then */
lantern_result* lantern_compile(const char* sexpr, size_t length, const char* filename, const char* options_json);

/* The type of one operation's result, its operands given as types: `(matmul (tensor f32 5 3) (tensor f32 3))` gives
 * `(tensor f32 5)`. An integer literal among the operands stands for itself. */
lantern_result* lantern_infer(const char* operation, size_t length);

/* The operator table, an S-expression a row: (operator NAME (operands a b) …). */
lantern_result* lantern_operators(void);

/* "0.1.0". Not to be freed. */
const char* lantern_version(void);

#ifdef __cplusplus
}
#endif

#endif
