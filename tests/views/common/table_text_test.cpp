#include "views/common/widgets/table_text.h"

#include "tests/support/test_registry.h"
#include "views/common/text/number_text.h"
#include "views/common/theme/widget_theme.h"
#include "views/common/widgets/table_style.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QStandardItemModel>
#include <QTableView>
#include <QtTest/QTest>

class TableTextTest : public QObject {
    Q_OBJECT

private slots:
    void csvQuotesAndDropsThinSpaces() {
        QStandardItemModel model(2, 2);
        model.setHorizontalHeaderLabels({"Layer", "Bytes, total"});
        model.setItem(0, 0, new QStandardItem("a \"quoted\", name"));
        auto* number = new QStandardItem(views::groupedText(-1234567));
        number->setData("B", views::UnitRole);
        model.setItem(0, 1, number);
        model.setItem(1, 0, new QStandardItem("b"));
        model.setItem(1, 1, new QStandardItem("1"));
        QCOMPARE(views::tableToCsv(model),
                 "Layer,\"Bytes, total\"\r\n\"a \"\"quoted\"\", name\",-1234567 B\r\nb,1\r\n");
    }

    void treesCarryTheirLevel() {
        QStandardItemModel model(0, 1);
        model.setHorizontalHeaderLabels({"Name"});
        auto* parent = new QStandardItem("parent");
        parent->appendRow(new QStandardItem("child"));
        model.appendRow(parent);
        QCOMPARE(views::tableToCsv(model), "level,Name\r\n0,parent\r\n1,child\r\n");
    }

    void copyTakesTheSelectedRows() {
        QStandardItemModel model(3, 1);
        for (int row = 0; row < 3; ++row)
            model.setItem(row, 0, new QStandardItem(QString("row %1").arg(row)));
        QTableView table;
        views::styleTable(table);
        table.setModel(&model);
        table.selectRow(1);
        views::copySelection(table);
        QCOMPARE(QGuiApplication::clipboard()->text(), "row 1");
    }
};

REGISTER_WIDGET_TEST("table_text", TableTextTest)
#include "table_text_test.moc"
