#include "core/base/shared_list.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>
#include <algorithm>
#include <string>
#include <utility>

using List = core::SharedList<std::string>;

class SharedListTest : public QObject {
    Q_OBJECT

private slots:
    void copiesShareUntilOneIsWritten() {
        List list{"a", "b", "c"};
        List copy = list;
        QCOMPARE(&std::as_const(copy)[1], &std::as_const(list)[1]);
        copy[1] = "x";
        QVERIFY(&std::as_const(copy)[1] != &std::as_const(list)[1]);
        QCOMPARE(std::as_const(list)[1], std::string("b"));
        QCOMPARE(&std::as_const(copy)[2], &std::as_const(list)[2]);
        const std::string* own = &std::as_const(copy)[1];
        copy[1] += "y";
        QCOMPARE(&std::as_const(copy)[1], own); // nobody shares it: no further copy
        QVERIFY(copy != list);
        list[1] = "xy";
        QVERIFY(copy == list);
    }

    void itIsReadLikeAVector() {
        List list;
        QVERIFY(list.empty());
        list.push_back("b");
        list.insert(list.begin(), "a");
        list.push_back("c");
        QCOMPARE(list.size(), std::size_t{3});
        QCOMPARE(list.front() + std::as_const(list).back(), std::string("ac"));
        QCOMPARE(std::ranges::find(list, std::string("b")) - list.begin(), std::ptrdiff_t{1});
        std::string text;
        for (const std::string& item : list)
            text += item;
        QCOMPARE(text, std::string("abc"));
        List other;
        other.pushShared(list, 2);
        other.push_back("z");
        other.share(1, list, 0);
        QCOMPARE(&std::as_const(other)[0], &std::as_const(list)[2]);
        QVERIFY((other == List{"c", "a"}));
        list.erase(list.begin());
        list.pop_back();
        QVERIFY((list == List{"b"}));
    }
};

REGISTER_TEST("shared_list", SharedListTest)
#include "shared_list_test.moc"
