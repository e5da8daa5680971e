#include "core/profile/schema/enum_codes.h"
#include "tests/support/shared_data.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>
#include <algorithm>
#include <fmt/core.h>
#include <fstream>
#include <string>
#include <vector>

namespace {

/// Stored by number alone, so it has no name of its own.
std::string_view toString(core::Trouble trouble) {
    static constexpr std::array<std::string_view, 6> names{"negative", "usage",    "input",
                                                           "world",    "internal", "interrupted"};
    return names[static_cast<std::size_t>(trouble)];
}

template <class Enum>
std::string_view tableOf() {
    return core::StoredEnum<Enum>::table.empty() ? "trouble" : core::StoredEnum<Enum>::table;
}

/// "span_kind forward=0", one line per row of every stored enumeration.
std::vector<std::string> currentRows() {
    std::vector<std::string> rows;
    core::forEachStoredEnum([&]<class Enum>(Enum) {
        for (const core::EnumCode<Enum>& row : core::StoredEnum<Enum>::rows)
            rows.push_back(fmt::format("{} {}={}", tableOf<Enum>(), toString(row.value), row.code));
    });
    return rows;
}

std::vector<std::string> publishedRows() {
    std::ifstream file(tests::projectRoot() / "tests/core/profile/golden/enum_codes.txt");
    std::vector<std::string> rows;
    for (std::string line; std::getline(file, line);) {
        if (!line.empty() && line[0] != '#')
            rows.push_back(line);
    }
    return rows;
}

} // namespace

class EnumCodesTest : public QObject {
    Q_OBJECT

private slots:
    void publishedCodesKeepTheirMeaning() {
        const std::vector<std::string> current = currentRows();
        const std::vector<std::string> published = publishedRows();
        QVERIFY(published.size() > 50);
        for (const std::string& row : published)
            QVERIFY2(std::find(current.begin(), current.end(), row) != current.end(),
                     (row + " is in stored files and must stay").c_str());
        for (const std::string& row : current)
            QVERIFY2(std::find(published.begin(), published.end(), row) != published.end(),
                     (row + " is new: append it to golden/enum_codes.txt").c_str());
    }

    void aCodeLeadsBackToItsValue() {
        core::forEachStoredEnum([]<class Enum>(Enum) {
            for (const core::EnumCode<Enum>& row : core::StoredEnum<Enum>::rows) {
                QCOMPARE(core::codeOf(row.value), row.code);
                QVERIFY(core::enumOf<Enum>(row.code) == row.value);
            }
            QVERIFY(!core::enumOf<Enum>(-1));
            QVERIFY(!core::enumOf<Enum>(static_cast<std::int64_t>(core::StoredEnum<Enum>::rows.size())));
        });
    }
};

REGISTER_TEST("enum_codes", EnumCodesTest)
#include "enum_codes_test.moc"
