#include "views/profile/tables/row_filter.h"

#include "tests/support/pictures.h"
#include "tests/support/test_registry.h"
#include "views/profile/tables/filter_chips.h"
#include "views/profile/tables/table_tabs.h"

#include <QApplication>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QTableView>
#include <QtTest/QTest>

using namespace views;

namespace {

const QStringList columns{"Operation", "Kind", "Of peak", "Time"};

bool admits(const QString& filter, const QStringList& cells) {
    const RowFilter read = RowFilter::parse(filter, columns);
    return read.trouble().isEmpty() && read.admits([&](int column) { return cells[column]; });
}

TableContent content() {
    TableContent table;
    for (const QString& title : columns)
        table.columns.push_back({title, ColumnKind::Text, {}, 0, {}, false});
    for (const auto& [name, kind, time] : {std::tuple("conv1", "Conv", 3.5), std::tuple("conv2", "Conv", 1.0),
                                           std::tuple("relu1", "Relu", 0.5), std::tuple("fc", "MatMul", 8.0)})
        table.rows.push_back(
            {textCell(name), textCell(kind), textCell("–"), numberCell(QString::number(time), time)});
    table.footerOf = [](const std::vector<std::size_t>& rows) {
        return std::vector<TableCell>{textCell(QString::number(rows.size()))};
    };
    table.footer = table.footerOf({0, 1, 2, 3});
    return table;
}

/// Names of the rows that are shown, and the sum.
QString shown(const TablePanel& panel) {
    QStringList names;
    for (int row = 0; row < panel.table().model()->rowCount(); ++row)
        names.append(panel.table().model()->index(row, 0).data().toString());
    return names.join(' ');
}

struct Bench {
    Bench() {
        table = tabs.addTable("Operations", "operations");
        other = tabs.addTable("Others", "others");
        table->setContent(content());
        other->setContent(content());
        tabs.resize(700, 400);
        tabs.show();
        QVERIFY(QTest::qWaitForWindowExposed(&tabs));
    }
    void type(const QString& text) {
        tabs.filter().setFocus();
        QTest::keyClicks(&tabs.filter(), text);
    }

    TableTabs tabs;
    TablePanel* table = nullptr;
    TablePanel* other = nullptr;
};

} // namespace

class RowFilterTest : public QObject {
    Q_OBJECT

private slots:
    void everyPartOfAFilterMustBeMet_data() {
        QTest::addColumn<QString>("filter");
        QTest::addColumn<bool>("isAdmitted");
        QTest::newRow("nothing") << "" << true;
        QTest::newRow("words") << "conv BACK" << true;
        QTest::newRow("one word is missing") << "conv forward" << false;
        QTest::newRow("without") << "-forward" << true;
        QTest::newRow("without what it has") << "-backward" << false;
        QTest::newRow("expression") << "/conv[0-9]$/" << false;
        QTest::newRow("expression that matches") << "/^conv[0-9]/" << true;
        QTest::newRow("expression with a space") << "/1 back/" << true;
        QTest::newRow("without an expression") << "-/^conv/" << false;
        QTest::newRow("column") << "kind:mul" << true;
        QTest::newRow("other column") << "operation:mul" << false;
        QTest::newRow("is") << "kind:=matmul" << true;
        QTest::newRow("is more") << "kind:=mat" << false;
        QTest::newRow("greater") << "time>1415" << true;
        QTest::newRow("not greater") << "time>1415.2" << false;
        QTest::newRow("or equal") << "time>=1415.2 time<=1415.2" << true;
        QTest::newRow("less") << "-time<1000" << true;
        QTest::newRow("title with a space") << "\"of peak\"<0" << true;
        QTest::newRow("title without its space") << "ofpeak>0" << false;
        QTest::newRow("quoted") << "\"conv1 backward\"" << true;
        QTest::newRow("path") << "/conv" << false;
        QTest::newRow("no such column") << "a:b" << false;
    }
    void everyPartOfAFilterMustBeMet() {
        QFETCH(QString, filter);
        QFETCH(bool, isAdmitted);
        QCOMPARE(admits(filter, {"conv1 backward", "MatMul", QStringLiteral("−3.0 %"),
                                 QString("1") + QChar(0x202F) + "415.2"}),
                 isAdmitted);
    }

    void whatCannotBeFollowedIsSaid() {
        QVERIFY(RowFilter::parse("/conv(/", columns).trouble().contains("no regular expression"));
        QVERIFY(RowFilter::parse("bytes>3", columns).trouble().contains("Operation, Kind, Of peak, Time"));
        QVERIFY(RowFilter::parse("time>soon", columns).trouble().contains("no number"));
    }

    void aFilterThatCannotBeFollowedSaysSoUnderItsField() {
        Bench bench;
        const auto said = [&] {
            for (const QLabel* label : bench.table->findChildren<QLabel*>())
                if (label->isVisible() && label->text().contains("no regular expression"))
                    return label->text();
            return QString();
        };
        bench.type("/conv(/");
        // The rows are all there, so nothing else tells.
        QVERIFY2(said().contains("/conv(/"), qPrintable(said()));
        QVERIFY(bench.tabs.filter().property("invalid").toBool());
        QTest::keyClick(&bench.tabs.filter(), Qt::Key_Backspace);
        QTest::keyClick(&bench.tabs.filter(), Qt::Key_Backspace);
        QVERIFY2(said().isEmpty(), qPrintable(said()));
        QVERIFY(!bench.tabs.filter().property("invalid").toBool());
    }

    void enterStacksFiltersAndBackspaceGoesBack() {
        Bench bench;
        bench.type("conv");
        QCOMPARE(shown(*bench.table), QString("conv1 conv2 2"));
        QTest::keyClick(&bench.tabs.filter(), Qt::Key_Return);
        QVERIFY(bench.tabs.filter().text().isEmpty());
        bench.type("time>2");
        QCOMPARE(shown(*bench.table), QString("conv1 1"));
        QTest::keyClick(&bench.tabs.filter(), Qt::Key_Return);
        QCOMPARE(bench.table->keptFilters(), (QStringList{"conv", "time>2"}));
        auto* chips = bench.table->findChild<FilterChips*>();
        QVERIFY(chips->isVisible());
        if (tests::wantsPictures())
            bench.tabs.grab().save(qEnvironmentVariable("IPU_WORKBENCH_PICTURES") + "/filters.png");
        // The other table of the tabs has none of it.
        QVERIFY(bench.other->keptFilters().isEmpty());
        QTest::keyClick(&bench.tabs.filter(), Qt::Key_Backspace);
        QCOMPARE(bench.tabs.filter().text(), QString("time>2"));
        QCOMPARE(shown(*bench.table), QString("conv1 1"));
        bench.tabs.filter().selectAll();
        QTest::keyClick(&bench.tabs.filter(), Qt::Key_Delete);
        QCOMPARE(shown(*bench.table), QString("conv1 conv2 2"));
        // A chip is removed by its cross, or with the keys.
        chips->setFocus();
        QTest::keyClick(chips, Qt::Key_Delete);
        QCOMPARE(shown(*bench.table), QString("conv1 conv2 relu1 fc 4"));
        QVERIFY(!chips->isVisible());
    }

    void aCellFiltersByWhatItSays() {
        Bench bench;
        for (const int choice : {0, 1}) {
            const QRect cell = bench.table->table().visualRect(bench.table->table().model()->index(0, 1));
            QContextMenuEvent event(QContextMenuEvent::Mouse, cell.center(),
                                    bench.table->table().viewport()->mapToGlobal(cell.center()));
            QApplication::sendEvent(bench.table->table().viewport(), &event);
            auto* menu = bench.table->findChild<QMenu*>();
            QVERIFY(menu != nullptr);
            QTest::keyClick(menu, Qt::Key_Down);
            if (choice == 1)
                QTest::keyClick(menu, Qt::Key_Down);
            QTest::keyClick(menu, Qt::Key_Return);
            QTRY_VERIFY(bench.table->findChild<QMenu*>() == nullptr);
            QCOMPARE(shown(*bench.table), choice == 0 ? QString("conv1 conv2 2") : QString("relu1 fc 2"));
            bench.table->setKeptFilters({});
        }
    }

    void aFilterThatNothingMeetsSaysWhich() {
        Bench bench;
        bench.type("/(/");
        const auto said = [&](const QString& words) {
            for (const QLabel* label : bench.table->findChildren<QLabel*>())
                if (label->isVisible() && label->text().contains(words))
                    return true;
            return false;
        };
        // An expression that is not finished yet takes nothing away.
        QCOMPARE(shown(*bench.table), QString("conv1 conv2 relu1 fc 4"));
        bench.tabs.filter().clear();
        bench.type("pool");
        QVERIFY(said("pool"));
    }

    void thatNoRowIsLeftIsSaidBelowTheSum() {
        Bench bench;
        bench.type("pool");
        const QTableView& rows = bench.table->table();
        const QLabel* nothing = nullptr;
        for (const QLabel* label : bench.table->findChildren<QLabel*>())
            if (label->isVisible() && label->text().contains("pool"))
                nothing = label;
        QVERIFY(nothing != nullptr);
        QCOMPARE(rows.model()->rowCount(), 1);
        const int sum = rows.mapTo(bench.table, rows.viewport()->pos()).y() + rows.rowHeight(0);
        QVERIFY(nothing->geometry().top() >= sum);
        QVERIFY(nothing->geometry().height() > 0 && nothing->geometry().width() > 100);
    }
};

REGISTER_WIDGET_TEST("row_filter", RowFilterTest)
#include "row_filter_test.moc"
