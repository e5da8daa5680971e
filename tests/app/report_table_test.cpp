#include "app/reports/report_table.h"

#include "tests/support/test_registry.h"

#include <QtTest/QTest>

using app::ReportTable;
using app::TextTable;

class ReportTableTest : public QObject {
    Q_OBJECT

private slots:
    void oneRowServesTextJsonAndCsv() {
        ReportTable table(
            {{"name", TextTable::Align::Left, "check"}, {"bytes", TextTable::Align::Right}, {"passed"}});
        table.add({"step, ns", 1200, {true, "yes"}});
        table.add({std::string("peak"), nullptr, {false, "no"}});
        app::Report report;
        table.writeTo(report, "checks");
        QCOMPARE(
            report.json["checks"].dump(),
            std::string(
                R"([{"name":"step, ns","bytes":1200,"passed":true},{"name":"peak","bytes":null,"passed":false}])"));
        QCOMPARE(report.text,
                 std::string("check     bytes  passed\nstep, ns   1200  yes\npeak             no\n"));
        QCOMPARE(report.csv, std::string("check,bytes,passed\r\n\"step, ns\",1200,yes\r\npeak,,no\r\n"));
    }

    void aTableWithoutRowsIsAnEmptyList() {
        app::Report report;
        ReportTable({{"run"}}).writeTo(report, "runs");
        QCOMPARE(report.json.dump(), std::string(R"({"runs":[]})"));
        QCOMPARE(report.csv, std::string("run\r\n"));
    }
};

REGISTER_TEST("report_table", ReportTableTest)
#include "report_table_test.moc"
