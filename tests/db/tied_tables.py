"""Which tables of guilds a statement reads or changes, and how many guilds' rows of each it can meet.

Postgres' own parser reads the statement. A column is followed through equality, subqueries and common table expressions
to the arguments of the statement.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Final, TypeAlias

from pglast import ast, parse_sql
from pglast.enums import A_Expr_Kind, BoolExprType, SubLinkType


class Tied(IntEnum):
    """Of how many guilds the rows of a table can be, in one statement."""

    TO_ONE = 1
    """One that an argument names."""
    TO_GIVEN = 2
    """Those that are given in a list, or in given rows."""
    TO_NONE = 3
    """Of any guild."""


class Column:
    """A column, and all that are equal to it wherever the statement finds a row."""

    def __init__(self, tied: Tied = Tied.TO_NONE) -> None:
        self._equal: Column | None = None
        self._tied = tied

    @property
    def first(self) -> "Column":
        """The one that stands for all that are equal."""
        return self if self._equal is None else self._equal.first

    @property
    def tied(self) -> Tied:
        """Of how many guilds it can be, if it is a guild."""
        return self.first._tied

    def equals(self, other: "Column") -> None:
        """Note that both are equal."""
        ours, theirs = self.first, other.first
        if ours is not theirs:
            theirs._equal = ours
            ours._tied = min(ours._tied, theirs._tied)


Output: TypeAlias = "list[tuple[str, Column | None]]"
"""What a query returns: names and, of what is no expression, the column."""


@dataclass(slots=True)
class Source:
    """What stands in FROM under a name."""

    columns: dict[str, Column] = field(default_factory=dict)
    is_table: bool = False
    tied: Tied | None = None
    """Of columns that are not named, where there can be such."""

    def has(self, name: str) -> bool:
        """Tell whether it has this column, as far as that can be known."""
        return name in self.columns or (self.is_table and name == "guild_id")

    def column(self, name: str) -> Column | None:
        """Return one of its columns; `None` if it has none of this name."""
        if name not in self.columns and (self.is_table or self.tied is not None):
            self.columns[name] = Column(self.tied or Tied.TO_NONE)
        return self.columns.get(name)


@dataclass(slots=True)
class Scope:
    """The names that a part of a statement knows."""

    outer: "Scope | None" = None
    sources: dict[str, Source] = field(default_factory=dict)
    named: dict[str, Source] = field(default_factory=dict)
    """What WITH has named."""

    def of_with(self, name: str) -> Source | None:
        """Return what WITH calls so, here or around."""
        return self.named.get(name) or (self.outer.of_with(name) if self.outer else None)

    def column(self, name: str, source: str | None) -> Column | None:
        """Return the column of this name, here or around."""
        if source in self.sources:
            return self.sources[source].column(name)
        if source is None:
            for one in self.sources.values():
                if one.has(name):
                    return one.column(name)
            for one in self.sources.values():
                if one.tied is not None:
                    return one.column(name)
        return self.outer.column(name, source) if self.outer else None


@dataclass(frozen=True, slots=True)
class Touched:
    """A table of guilds that a statement reads or changes."""

    table: str
    guild: Column


def touched_by(statement: str, *, tables: Collection[str]) -> list[Touched]:
    """Return where `statement`, one or several, names one of these `tables`. Raises `pglast.Error` if it is none."""
    reading = _Reading(frozenset(tables))
    for parsed in parse_sql(statement):
        reading.query(parsed.stmt, Scope())
    reading.settle()
    return reading.touched


_Node: TypeAlias = "ast.Node | Sequence[ast.Node] | None"
_EQUAL: Final = "="
_OTHERS: Final = "*"
"""Stands for columns that a query returns by `*` and that are named nowhere."""


class _Reading:
    """Reads one statement; `touched` is what it has met."""

    def __init__(self, tables: frozenset[str]) -> None:
        self._tables = tables
        self.touched: list[Touched] = []
        self._unions: list[tuple[Column, list[Column]]] = []

    def query(self, node: ast.Node, scope: Scope) -> Output:
        """Read a query or a change, and return what it gives."""
        if isinstance(node, ast.SelectStmt):
            return self._select(node, scope)
        if isinstance(node, ast.InsertStmt):
            return self._insert(node, scope)
        if isinstance(node, ast.UpdateStmt | ast.DeleteStmt):
            return self._change(node, scope)
        return []

    def _with(self, clause: ast.WithClause | None, scope: Scope) -> None:
        if clause is None:
            return
        for one in clause.ctes:
            names = [name.sval for name in one.aliascolnames or ()]
            query = one.ctequery
            if clause.recursive and isinstance(query, ast.SelectStmt) and query.larg:
                # What it begins with says what it is, while the rest names itself.
                begun = _Reading(self._tables).query(query.larg, Scope(scope))
                scope.named[one.ctename] = _source(begun, names)
            scope.named[one.ctename] = _source(self.query(query, Scope(scope)), names)

    def _select(self, node: ast.SelectStmt, scope: Scope) -> Output:
        self._with(node.withClause, scope)
        if node.larg:
            left, right = (self._select(one, Scope(scope)) for one in (node.larg, node.rarg))
            return [(name, self._either(a, b)) for (name, a), (_, b) in zip(left, right, strict=False)]
        if node.valuesLists:
            return [(f"column{at}", Column(Tied.TO_GIVEN)) for at, _ in enumerate(node.valuesLists[0], 1)]
        for item in node.fromClause or ():
            self._from(item, scope)
        self._where(node.whereClause, scope)
        given = self._targets(node.targetList, scope)
        for part in (node.havingClause, node.groupClause, node.sortClause, node.limitCount):
            self._inside(part, scope)
        return given

    def _either(self, *both: Column | None) -> Column:
        """Return a column that is one or the other."""
        columns = [one for one in both if one is not None]
        either = Column(max(one.tied for one in columns) if len(columns) == len(both) else Tied.TO_NONE)
        self._unions.append((either, columns))
        return either

    def settle(self) -> None:
        """Apply what was said of a union to each of its queries; the outer ones are the later ones."""
        for either, columns in reversed(self._unions):
            for one in columns:
                one.equals(Column(either.tied))

    def _insert(self, node: ast.InsertStmt, scope: Scope) -> Output:
        self._with(node.withClause, scope)
        chosen = node.selectStmt
        if chosen is None:
            given: Output = []
        elif chosen.valuesLists:
            given = [("", self._column(value, scope)) for value in chosen.valuesLists[0]]
        else:
            given = self.query(chosen, Scope(scope))
        inner = Scope(scope)
        target = self._table(node.relation, inner)
        for column, (_, value) in zip(node.cols or (), given, strict=False):
            _note_equal(target.column(column.name), value)
        inner.sources["excluded"] = target
        if node.onConflictClause:
            self._inside(node.onConflictClause.targetList, inner)
            self._where(node.onConflictClause.whereClause, inner)
        return self._returned(node, inner)

    def _change(self, node: ast.UpdateStmt | ast.DeleteStmt, scope: Scope) -> Output:
        self._with(node.withClause, scope)
        self._table(node.relation, scope)
        for item in (node.fromClause if isinstance(node, ast.UpdateStmt) else node.usingClause) or ():
            self._from(item, scope)
        self._where(node.whereClause, scope)
        if isinstance(node, ast.UpdateStmt):
            self._inside(node.targetList, scope)
        return self._returned(node, scope)

    def _returned(self, node: ast.InsertStmt | ast.UpdateStmt | ast.DeleteStmt, scope: Scope) -> Output:
        return self._targets(node.returningClause.exprs, scope) if node.returningClause else []

    def _from(self, item: ast.Node, scope: Scope) -> None:
        if isinstance(item, ast.RangeVar):
            self._table(item, scope)
        elif isinstance(item, ast.RangeSubselect):
            names = [name.sval for name in (item.alias.colnames if item.alias else None) or ()]
            alias = item.alias.aliasname if item.alias else f"subquery {len(scope.sources)}"
            scope.sources[alias] = _source(self.query(item.subquery, Scope(scope)), names)
        elif isinstance(item, ast.RangeFunction):
            self._inside(item.functions, scope)
            alias = item.alias.aliasname if item.alias else f"function {len(scope.sources)}"
            given = Source(tied=Tied.TO_GIVEN)
            names = [name.sval for name in (item.alias.colnames if item.alias else None) or ()]
            for name in (*(names or [alias]), *(one.colname for one in item.coldeflist or ())):
                given.column(name)
            scope.sources[alias] = given
        elif isinstance(item, ast.JoinExpr):
            self._join(item, scope)

    def _join(self, item: ast.JoinExpr, scope: Scope) -> None:
        known = set(scope.sources)
        self._from(item.larg, scope)
        left = [one for name, one in scope.sources.items() if name not in known]
        known = set(scope.sources)
        self._from(item.rarg, scope)
        right = [one for name, one in scope.sources.items() if name not in known]
        for name in item.usingClause or ():
            for ours in left:
                for theirs in right:
                    if ours.has(name.sval) or ours.is_table:
                        _note_equal(ours.column(name.sval), theirs.column(name.sval))
        self._where(item.quals, scope)

    def _table(self, named: ast.RangeVar, scope: Scope) -> Source:
        source = scope.of_with(named.relname)
        if source is None:
            source = Source(is_table=True)
            guild = source.column("guild_id")
            if named.relname in self._tables and guild is not None:
                self.touched.append(Touched(named.relname, guild))
        scope.sources[named.alias.aliasname if named.alias else named.relname] = source
        return source

    def _targets(self, targets: Iterable[ast.ResTarget] | None, scope: Scope) -> Output:
        given: Output = []
        for target in targets or ():
            value = target.val
            if isinstance(value, ast.ColumnRef) and isinstance(value.fields[-1], ast.A_Star):
                whose = value.fields[0].sval if len(value.fields) > 1 else None
                for name, source in scope.sources.items():
                    if whose in {None, name}:
                        source.column("guild_id")
                        given.extend(source.columns.items())
                        if source.tied is not None:
                            given.append((_OTHERS, Column(source.tied)))
            else:
                name = value.fields[-1].sval if isinstance(value, ast.ColumnRef) else ""
                given.append((target.name or name, self._column(value, scope)))
        return given

    def _where(self, condition: ast.Node | None, scope: Scope) -> None:
        """Read a condition that holds of every row that is found."""
        if isinstance(condition, ast.BoolExpr) and condition.boolop == BoolExprType.AND_EXPR:
            for one in condition.args:
                self._where(one, scope)
        elif isinstance(condition, ast.A_Expr) and condition.name[-1].sval == _EQUAL:
            self._equality(condition, scope)
        elif isinstance(condition, ast.SubLink) and condition.subLinkType == SubLinkType.ANY_SUBLINK:
            found = self.query(condition.subselect, Scope(scope))
            for ours, (_, theirs) in zip(self._row(condition.testexpr, scope), found, strict=False):
                _note_equal(ours, theirs)
        else:
            self._inside(condition, scope)

    def _equality(self, condition: ast.A_Expr, scope: Scope) -> None:
        left, right = condition.lexpr, condition.rexpr
        if condition.kind in {A_Expr_Kind.AEXPR_OP_ANY, A_Expr_Kind.AEXPR_IN}:
            self._inside(right, scope)
            _note_equal(self._column(left, scope), Column(Tied.TO_GIVEN))
        elif isinstance(left, ast.RowExpr) and isinstance(right, ast.SubLink):
            found = self.query(right.subselect, Scope(scope))
            for ours, (_, theirs) in zip(self._row(left, scope), found, strict=False):
                _note_equal(ours, theirs)
        elif condition.kind == A_Expr_Kind.AEXPR_OP:
            for ours, other in zip(self._row(left, scope), self._row(right, scope), strict=False):
                _note_equal(ours, other)
        else:
            self._inside((left, right), scope)

    def _row(self, node: ast.Node, scope: Scope) -> "list[Column | None]":
        parts = node.args if isinstance(node, ast.RowExpr) else (node,)
        return [self._column(part, scope) for part in parts]

    def _column(self, node: ast.Node, scope: Scope) -> Column | None:
        """Return the column, or the argument, that an expression is; `None` if it is computed."""
        if isinstance(node, ast.TypeCast):
            return self._column(node.arg, scope)
        if isinstance(node, ast.ParamRef | ast.A_Const):
            return Column(Tied.TO_ONE)
        if isinstance(node, ast.ColumnRef):
            names = [part.sval for part in node.fields if isinstance(part, ast.String)]
            return scope.column(names[-1], names[-2] if len(names) > 1 else None) if names else None
        if isinstance(node, ast.SubLink) and node.subLinkType == SubLinkType.EXPR_SUBLINK:
            found = self.query(node.subselect, Scope(scope))
            return found[0][1] if found else None
        self._inside(node, scope)
        is_list = isinstance(node, ast.FuncCall) and node.funcname[-1].sval == "unnest"
        return Column(Tied.TO_GIVEN) if is_list else None

    def _inside(self, node: _Node, scope: Scope) -> None:
        """Read the queries that stand somewhere in an expression."""
        if isinstance(node, tuple | list):
            for one in node:
                self._inside(one, scope)
        elif isinstance(node, ast.SubLink):
            self.query(node.subselect, Scope(scope))
            self._inside(node.testexpr, scope)
        elif isinstance(node, ast.Node):
            for name in node:
                self._inside(getattr(node, name), scope)


def _source(given: Output, names: Sequence[str]) -> Source:
    """Return what a query gives as a source, its first columns by these names."""
    names = [*names, *(name for name, _ in given[len(names) :])]
    columns = {name: column or Column() for name, (_, column) in zip(names, given, strict=True)}
    others = columns.pop(_OTHERS, None)
    return Source(columns, tied=others.tied if others else None)


def _note_equal(ours: Column | None, theirs: Column | None) -> None:
    if ours is not None and theirs is not None:
        ours.equals(theirs)
