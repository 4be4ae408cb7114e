#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/source_range.h"
#include "engine/script/lexer.h"

namespace assay::script {

// The tree of a TorchScript source. The grammar (`[x]` optional, `x*` repeated, `x,*` separated by
// commas with an optional last one):
//
//   module     = statement*
//   statement  = simple (';' simple)* NEWLINE | if | while | for | with | def | class
//   simple     = targets ['=' targets]* | expr ':' expr ['=' targets] | expr OP= targets
//              | 'return' [targets] | 'assert' expr [',' expr] | 'raise' [expr ['from' expr]]
//              | 'del' expr,* | 'pass' | 'break' | 'continue' | 'import' … | 'from' …
//   if         = 'if' expr block ('elif' expr block)* ['else' block]
//   while      = 'while' expr block
//   for        = 'for' targets 'in' targets block
//   with       = 'with' (expr ['as' expr]),* block
//   def        = decorator* 'def' NAME '(' param,* ')' ['->' expr] block
//   param      = ['*'] NAME [':' expr] ['=' expr] | '*'
//   class      = decorator* 'class' NAME ['(' expr,* ')'] block
//   block      = ':' (simple NEWLINE | NEWLINE INDENT statement* DEDENT)
//   targets    = expr,*                       (several, or one with a comma, are a tuple)
//   expr       = or ['if' or 'else' expr] | '*' expr
//   or … power = Python's binary operators and precedences; comparisons chain
//   postfix    = primary ('.' NAME | '(' argument,* ')' | '[' index,* ']')*
//   argument   = expr | NAME '=' expr | '*' expr | expr 'for' targets 'in' or ['if' or]
//   index      = expr | [expr] ':' [expr] [':' [expr]]
//   primary    = NAME | NUMBER | STRING+ | 'None' | 'True' | 'False' | '...' | '(' targets ')'
//              | '[' targets ']' | '{' (expr ':' expr),* '}' | comprehension in '[' ']' or '{' '}'
//
// Trees are never deeper than `max_tree_depth`, so that code may recurse over them.

inline constexpr int max_tree_depth = 600;

enum class ExprKind : uint8_t {
  name,         ///< `text`
  number,       ///< `text` as written, with a folded minus sign
  string,       ///< `text` is the value
  none,         ///< `None`
  true_,        ///< `True`
  false_,       ///< `False`
  ellipsis,     ///< `...`
  attribute,    ///< items[0] . text
  call,         ///< items[0] ( items[1]…, keywords )
  subscript,    ///< items[0] [ items[1]… ]
  slice,        ///< items[0] : items[1] : items[2], null where left out
  unary,        ///< `op` items[0]: - ~ not
  binary,       ///< items[0] `op` items[1], comparisons and `and`/`or` included
  not_in,       ///< items[0] not in items[1]
  is_not,       ///< items[0] is not items[1]
  conditional,  ///< items[1] if items[0] else items[2]
  list,         ///< [ items… ]
  tuple,        ///< ( items… )
  dict,         ///< { items[0]: items[1], … }
  list_comp,    ///< [ items[0] for items[1] in items[2] if items[3] ], items[3] may be null
  dict_comp,  ///< { items[0]: items[1] for items[2] in items[3] if items[4] }, items[4] may be null
  starred,    ///< * items[0]
};

struct Expr;
using ExprPtr = std::shared_ptr<const Expr>;

struct Keyword {
  std::string name;
  ExprPtr value;
  base::SourceRange range;
};

struct Expr {
  ExprKind kind = ExprKind::none;
  TokenKind op = TokenKind::end;  ///< Of unary and binary.
  base::SourceRange range;        ///< From the first token to the last.
  std::string text;
  std::vector<ExprPtr> items;
  std::vector<Keyword> keywords;
  int depth = 1;  ///< Of the tree below and with this node.

  bool is_name(std::string_view wanted) const { return kind == ExprKind::name && text == wanted; }
};

enum class StmtKind : uint8_t {
  expression,  ///< value
  assign,      ///< targets[0] = targets[1] = … = value; `annotation` and null value possible
  augmented,   ///< targets[0] op= value
  return_,     ///< value or null
  if_,         ///< value, body, orelse
  while_,      ///< value, body
  for_,        ///< targets[0] in value, body
  with_,       ///< targets[i] as with_names[i] (null), body
  assert_,     ///< value, message (null)
  raise_,      ///< value or null
  del,         ///< targets
  pass_,
  break_,
  continue_,
  def,    ///< function
  class_  ///< class_def
};

struct Stmt;
using StmtPtr = std::shared_ptr<const Stmt>;
using Block = std::vector<StmtPtr>;

struct Param {
  std::string name;
  ExprPtr annotation;     ///< Null where left out.
  ExprPtr default_value;  ///< Null where left out.
  bool keyword_only = false;
  base::SourceRange range;
};

struct FunctionDef {
  std::string name;
  base::SourceRange name_range;
  std::vector<Param> params;
  ExprPtr return_annotation;  ///< Null where left out.
  Block body;
  std::vector<ExprPtr> decorators;
  base::SourceRange range;
};

struct ClassDef {
  std::string name;
  std::vector<ExprPtr> bases;
  Block body;
  std::vector<ExprPtr> decorators;
  base::SourceRange range;
};

struct Stmt {
  StmtKind kind = StmtKind::pass_;
  TokenKind op = TokenKind::end;  ///< The binary operator of `augmented`.
  base::SourceRange range;
  std::vector<ExprPtr> targets;
  std::vector<ExprPtr> with_names;
  ExprPtr annotation;
  ExprPtr value;
  ExprPtr message;
  Block body;
  Block orelse;
  std::shared_ptr<const FunctionDef> function;
  std::shared_ptr<const ClassDef> class_def;
};

/// The dotted text of a name or of attributes of a name ("torch.jit.annotate"); nothing for any
/// other expression.
std::optional<std::string> dotted_name(const Expr& expr);

}  // namespace assay::script
