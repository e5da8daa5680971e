#include "core/text/nearest_name.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>
#include <vector>

class NearestNameTest : public QObject {
    Q_OBJECT

private slots:
    void findsWhatWasMeant() {
        const std::vector<std::string> names{"schedule", "stages", "device_mapping"};
        QCOMPARE(core::nearestName("shcedule", names).value_or(""), std::string("schedule"));
        QCOMPARE(core::nearestName("Stage", names).value_or(""), std::string("stages"));
        QCOMPARE(core::nearestName("device", names).value_or(""), std::string("device_mapping"));
        QVERIFY(!core::nearestName("colour", names));
        QVERIFY(!core::nearestName("", names));
    }
};

REGISTER_TEST("nearest_name", NearestNameTest)
#include "nearest_name_test.moc"
