#include "core/profile/schema/span_block_rows.h"

#include "core/profile/schema/time_tables.h"

#include <algorithm>
#include <fmt/format.h>

namespace core {

namespace {

template <class Table>
std::string insertSql(const Table& table) {
    std::string names;
    std::string places;
    forEachColumn(table, [&](const auto& column) {
        names += (names.empty() ? "" : ", ") + std::string(column.name);
        places += places.empty() ? "?" : ", ?";
    });
    return fmt::format("INSERT INTO {} ({}) VALUES ({})", table.name, names, places);
}

/// Binds the columns of a record behind those that are given, without copying its bytes.
class SpanRowBinder {
public:
    SpanRowBinder(SQLite::Statement& statement, std::initializer_list<std::int64_t> given)
        : m_statement(statement)
        , m_given(given) {}

    template <class Table>
    void bind(const Table& table, const typename Table::RecordType& record) {
        const auto* next = m_given.begin();
        forEachColumn(table, [&](const auto& column) {
            using Type = std::remove_cvref_t<decltype(column)>;
            if constexpr (isGiven<Type>)
                value(*next++);
            else
                value(Type::How::write(record, std::invoke(column.field, record)));
        });
        m_statement.exec();
        m_statement.reset();
    }

private:
    void value(std::int64_t number) { m_statement.bind(++m_bound, number); }
    void value(bool flag) { m_statement.bind(++m_bound, flag ? 1 : 0); }
    void value(const std::optional<std::int64_t>& number) {
        if (number)
            m_statement.bind(++m_bound, *number);
        else
            m_statement.bind(++m_bound);
    }
    void value(const std::string& text) { m_statement.bindNoCopy(++m_bound, text); }
    void value(const std::vector<std::uint8_t>& bytes) {
        // A null pointer would be NULL.
        static constexpr std::uint8_t none = 0;
        m_statement.bindNoCopy(++m_bound, static_cast<const void*>(bytes.empty() ? &none : bytes.data()),
                               static_cast<int>(bytes.size()));
    }

    SQLite::Statement& m_statement;
    std::initializer_list<std::int64_t> m_given;
    int m_bound = 0;
};

} // namespace

SpanBlockRows::SpanBlockRows(SQLite::Database& connection, std::int64_t run)
    : m_blocks(connection, insertSql(spanBlockTable))
    , m_shapes(connection, insertSql(spanShapeTable))
    , m_run(run) {}

void SpanBlockRows::insert(const SpanBlock& block) {
    SpanRowBinder(m_blocks, {m_run}).bind(spanBlockTable, block);
}

void SpanBlockRows::insert(const std::vector<SpanShape>& shapes) {
    std::int64_t number = 0;
    for (const SpanShape& shape : shapes)
        SpanRowBinder(m_shapes, {m_run, number++}).bind(spanShapeTable, shape);
}

void packStoredSpans(SQLite::Database& connection) {
    std::vector<std::int64_t> runs;
    SQLite::Statement recorded(connection, "SELECT DISTINCT run_id FROM span");
    while (recorded.executeStep())
        runs.push_back(recorded.getColumn(0).getInt64());
    // Codes stay as they are, known or not.
    SQLite::Statement rows(connection,
                           "SELECT lane, start_cycles, duration_cycles, coalesce(micro_batch, 0), "
                           "coalesce(slot, 0), kind, coalesce(stage, -1), coalesce(bytes, 0), "
                           "coalesce(cause, -1), coalesce(blame_stage, -1), part, offset_cycles, "
                           "micro_batch IS NOT NULL, slot IS NOT NULL FROM span WHERE run_id = ? "
                           "ORDER BY lane, start_cycles, sequence");
    for (const std::int64_t run : runs) {
        SpanBlockRows blocks(connection, run);
        const SpanPacker::Receive receive = [&](const SpanBlock& block) { blocks.insert(block); };
        SpanShapes shapes;
        std::optional<SpanPacker> packer;
        std::int64_t lane = 0;
        rows.bind(1, run);
        while (rows.executeStep()) {
            // Differences of what a damaged file says must not overflow.
            const auto number = [&](int column) {
                constexpr std::int64_t most = std::int64_t{1} << 58U;
                return std::clamp(rows.getColumn(column).getInt64(), -most, most);
            };
            if (!packer || number(0) != lane) {
                if (packer)
                    packer->finish();
                lane = number(0);
                packer.emplace(lane, shapes, receive);
            }
            packer->add({number(1), std::max<std::int64_t>(0, number(2)), number(3), number(4),
                         shapes.numberOf({number(5), number(6), number(7), number(8), number(9), number(10),
                                          number(11), number(12) != 0, number(13) != 0})});
        }
        rows.reset();
        if (packer)
            packer->finish();
        blocks.insert(shapes.all());
    }
    connection.exec("DELETE FROM span; DELETE FROM span_bin");
}

} // namespace core
