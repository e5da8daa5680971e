#include "app/reports/report_table.h"

#include "tests/support/test_registry.h"

#include <QtTest/QTest>

using app::ReportTable;

class ReportTableTest : public QObject {
    Q_OBJECT

private slots:
    void oneRowServesTextJsonAndCsv() {
        ReportTable table(
            {{"name", ReportTable::Align::Left, "check"}, {"bytes", ReportTable::Align::Right}, {"passed"}});
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

    void columnsOfTextOrOfJsonAloneAreLeftOutOfTheOther() {
        ReportTable table({ReportTable::textColumn("share"),
                           {"peak_bytes", ReportTable::Align::Right, "peak"},
                           ReportTable::jsonColumn("note")});
        table.add({"50 %", 10, "half"});
        table.add({"5 %", 1, std::nullopt});
        QCOMPARE(table.json().dump(), std::string(R"([{"peak_bytes":10,"note":"half"},{"peak_bytes":1}])"));
        QCOMPARE(table.text(), std::string("share  peak\n50 %     10\n5 %       1\n"));
        QCOMPARE(table.csv(), std::string("share,peak\r\n50 %,10\r\n5 %,1\r\n"));
    }

    void rowsMayBeListsAndGroups() {
        ReportTable lists({{"a"}, {"a"}}, ReportTable::RowShape::List);
        lists.add({1, nullptr});
        QCOMPARE(lists.json().dump(), std::string("[[1,null]]"));
        ReportTable lines({ReportTable::textColumn("group"), {"key"}});
        lines.addLine({"first", ""});
        lines.add({"", "x"});
        QCOMPARE(lines.takeJson().dump(), std::string(R"([{"key":"x"}])"));
        lines.add({"", "y"});
        QCOMPARE(lines.takeJson().dump(), std::string(R"([{"key":"y"}])"));
        QCOMPARE(lines.csv(), std::string("group,key\r\nfirst,\r\n,x\r\n,y\r\n"));
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
