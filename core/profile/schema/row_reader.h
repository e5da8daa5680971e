#pragma once

#include "core/base/quantity.h"
#include "core/base/shared_text.h"
#include "core/base/strong_id.h"
#include "core/profile/schema/enum_codes.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <limits>
#include <optional>
#include <sqlite3.h>
#include <string>
#include <vector>

// Private to the folder.

namespace core {

/// The value of a code. Throws SQLite::Exception where it is none of this program's.
template <class Enum>
Enum storedEnum(std::int64_t code) {
    const std::optional<Enum> value = enumOf<Enum>(code);
    if (!value)
        throw SQLite::Exception("a newer program wrote values that this one does not know", SQLITE_MISMATCH);
    return *value;
}

/// Reads the columns of a statement's row from left to right into fields, so a query's column list and its
/// reading are side by side in the same order.
class RowReader {
public:
    explicit RowReader(SQLite::Statement& statement)
        : m_statement(statement) {}

    template <class... Fields>
    void read(Fields&... fields) {
        m_column = 0;
        (readField(fields), ...);
    }

    /// The next column only.
    template <class Field>
    void next(Field& field) {
        readField(field);
    }

private:
    SQLite::Column column() { return m_statement.getColumn(m_column++); }
    void readField(bool& field) { field = column().getInt() != 0; }
    void readField(std::int64_t& field) { field = column().getInt64(); }
    /// NULL stands for NaN.
    void readField(double& field) {
        const SQLite::Column value = column();
        field = value.isNull() ? std::numeric_limits<double>::quiet_NaN() : value.getDouble();
    }
    void readField(std::uint64_t& field) { field = static_cast<std::uint64_t>(column().getInt64()); }
    void readField(std::string& field) { field = column().getString(); }
    void readField(SharedText& field) { field = column().getString(); }
    void readField(std::vector<std::uint8_t>& field) {
        const SQLite::Column value = column();
        const auto* bytes = static_cast<const std::uint8_t*>(value.getBlob());
        field.assign(bytes, bytes + value.getBytes());
    }
    template <class Unit>
    void readField(Quantity<Unit>& field) {
        field = Quantity<Unit>(column().getInt64());
    }
    template <class Tag>
    void readField(StrongId<Tag>& field) {
        const SQLite::Column value = column();
        field = value.isNull() ? StrongId<Tag>() : StrongId<Tag>(static_cast<std::size_t>(value.getInt64()));
    }
    template <class Enum>
    requires std::is_enum_v<Enum>
    void readField(Enum& field) { field = storedEnum<Enum>(column().getInt64()); }
    template <class Value>
    void readField(std::optional<Value>& field) {
        if (m_statement.getColumn(m_column).isNull()) {
            field.reset();
            ++m_column;
            return;
        }
        readField(field.emplace());
    }

    SQLite::Statement& m_statement;
    int m_column = 0;
};

template <class Tag>
std::int64_t sqlId(StrongId<Tag> id) {
    return static_cast<std::int64_t>(id.value());
}

} // namespace core
