#pragma once

#include "core/base/json.h"
#include "core/profile/schema/row_reader.h"

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

// Private to the folder: a table of the profile database as a list of rows, one for each column. A row says
// the column's name, its SQL type and the field of the record that it stores; what makes the table, brings an
// old file up to date, inserts records and reads them follows from the rows.

namespace core {

/// The version of the schema in which tables and columns came that do not say another.
inline constexpr std::int32_t firstSchemaVersion = 1;

/// A text that is stored as its number in the table `text`.
struct InternedText {
    const std::string& value;
    bool isEmptyNull = false;
};

// How a field is stored. `write` gives the value to bind, `select` the expression that reads the column, and
// `read` takes it back into the field.

/// As it is; an invalid id, an empty optional and NaN are NULL.
struct Plain {
    template <class Record, class Value>
    static const Value& write(const Record&, const Value& value) {
        return value;
    }
    static std::string select(std::string_view column) { return std::string(column); }
    template <class Value>
    static void read(RowReader& row, Value& value) {
        row.next(value);
    }
};

/// A text by its number in `text`.
struct Interned : Plain {
    template <class Record>
    static InternedText write(const Record&, const std::string& value) {
        return {value, false};
    }
    static std::string select(std::string_view column) {
        return "(SELECT value FROM text WHERE text.id = " + std::string(column) + ")";
    }
};

/// The same; an empty text is NULL.
struct InternedOrNull : Plain {
    template <class Record>
    static InternedText write(const Record&, const std::string& value) {
        return {value, true};
    }
    static std::string select(std::string_view column) {
        return "coalesce(" + Interned::select(column) + ", '')";
    }
};

/// An index of which −1 means none; stored as NULL.
struct IndexOrNull : Plain {
    template <class Record>
    static std::optional<std::int64_t> write(const Record&, std::int64_t value) {
        return value < 0 ? std::nullopt : std::optional(value);
    }
    static std::string select(std::string_view column) { return "coalesce(" + std::string(column) + ", -1)"; }
};

/// A quantity of which 0 means none; stored as NULL.
struct QuantityOrNull : Plain {
    template <class Record, class Unit>
    static std::optional<std::int64_t> write(const Record&, Quantity<Unit> value) {
        return value.value() == 0 ? std::nullopt : std::optional(value.value());
    }
    static std::string select(std::string_view column) { return "coalesce(" + std::string(column) + ", 0)"; }
};

/// A list as text of JSON.
struct JsonList : Plain {
    template <class Record, class Value>
    static std::string write(const Record&, const std::vector<Value>& values) {
        return toText(Json(values), -1);
    }
    template <class Value>
    static void read(RowReader& row, std::vector<Value>& values) {
        std::string text;
        row.next(text);
        const Result<Json> list = parseJson(text, "");
        if (!list || !list->is_array())
            return;
        for (const Json& element : *list) {
            if (std::is_same_v<Value, std::string> ? element.is_string() : element.is_number())
                values.push_back(element.get<Value>());
        }
    }
};

/// `field`: a pointer to member, or a callable that gives a reference into the record. `since`: the version
/// of the schema in which the column came; later than its table's it needs a type that old rows can have
/// (NULL allowed, or a DEFAULT).
template <class Storage, class Field>
struct Column {
    using How = Storage;
    std::string_view name;
    std::string_view type;
    Field field;
    std::int32_t since = firstSchemaVersion;
};

template <class Storage = Plain, class Field>
constexpr Column<Storage, Field> column(std::string_view name, std::string_view type, Field field,
                                        std::int32_t since = firstSchemaVersion) {
    return {name, type, field, since};
}

/// A column that is no field of the record; whoever inserts says its value.
struct GivenColumn {
    std::string_view name;
    std::string_view type;
    std::int32_t since = firstSchemaVersion;
};

constexpr GivenColumn given(std::string_view name, std::string_view type) {
    return {name, type};
}

/// The first column of every table of a run.
constexpr GivenColumn runColumn() {
    return {"run_id", "INTEGER NOT NULL REFERENCES run ON DELETE CASCADE"};
}

template <class Record, class... Columns>
struct Table {
    using RecordType = Record;
    std::string_view name;
    /// The columns of the primary key.
    std::string_view key;
    std::tuple<Columns...> columns;
    std::int32_t since = firstSchemaVersion;

    [[nodiscard]] constexpr Table from(std::int32_t version) const { return {name, key, columns, version}; }
};

template <class Record, class... Columns>
constexpr Table<Record, Columns...> table(std::string_view name, std::string_view key, Columns... columns) {
    return {name, key, {columns...}};
}

/// Calls `visit` with every column from left to right.
template <class Record, class... Columns, class Visit>
constexpr void forEachColumn(const Table<Record, Columns...>& table, Visit visit) {
    std::apply([&](const auto&... column) { (visit(column), ...); }, table.columns);
}

template <class Column>
inline constexpr bool isGiven = std::is_same_v<std::remove_cvref_t<Column>, GivenColumn>;

/// The columns of the record as a list for SELECT, in the order in which `readRecord` takes them.
template <class Record, class... Columns>
std::string selectList(const Table<Record, Columns...>& table) {
    std::string list;
    forEachColumn(table, [&](const auto& column) {
        using Type = std::remove_cvref_t<decltype(column)>;
        if constexpr (!isGiven<Type>)
            list += (list.empty() ? "" : ", ") +
                    Type::How::select(std::string(table.name) + "." + std::string(column.name));
    });
    return list;
}

/// `SELECT … FROM table WHERE` with what follows.
template <class Record, class... Columns>
std::string selectFrom(const Table<Record, Columns...>& table, std::string_view condition) {
    return "SELECT " + selectList(table) + " FROM " + std::string(table.name) + " WHERE " +
           std::string(condition);
}

/// The row at hand of a statement that begins with `selectList`. Answers the reader, for columns behind.
template <class Record, class... Columns>
RowReader readRecord(SQLite::Statement& statement, const Table<Record, Columns...>& table, Record& record) {
    RowReader row(statement);
    forEachColumn(table, [&](const auto& column) {
        using Type = std::remove_cvref_t<decltype(column)>;
        if constexpr (!isGiven<Type>)
            Type::How::read(row, std::invoke(column.field, record));
    });
    return row;
}

template <class Record, class... Columns>
std::vector<Record> readRecords(SQLite::Statement& statement, const Table<Record, Columns...>& table) {
    std::vector<Record> records;
    while (statement.executeStep())
        readRecord(statement, table, records.emplace_back());
    return records;
}

// What the schema needs of a table, without its record.

struct ColumnText {
    std::string_view name;
    std::string_view type;
    std::int32_t since = firstSchemaVersion;
};

struct TableText {
    std::string_view name;
    std::string_view key;
    std::vector<ColumnText> columns;
    std::int32_t since = firstSchemaVersion;
};

template <class Record, class... Columns>
TableText textOf(const Table<Record, Columns...>& table) {
    TableText text{table.name, table.key, {}, table.since};
    forEachColumn(table, [&](const auto& column) {
        text.columns.push_back({column.name, column.type, std::max(column.since, table.since)});
    });
    return text;
}

/// A view: what people and scripts query. `select` is all after `CREATE VIEW name AS`.
struct ViewText {
    std::string_view name;
    std::string_view select;
};

} // namespace core
