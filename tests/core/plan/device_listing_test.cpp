#include "core/plan/device_listing.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>

using namespace core;
using Ids = std::vector<std::int64_t>;

class DeviceListingTest : public QObject {
    Q_OBJECT

private slots:
    /// 16 IPUs: singles 0-15, pairs 16-23, quads 24-27, eights 28-29, all of them 30.
    void listsSinglesThenGroupsOfPowersOfTwo() {
        const auto devices = listDevices(16);
        QCOMPARE(devices.size(), std::size_t(31));
        QCOMPARE(devices[15].ipus, (Ids{15}));
        QCOMPARE(devices[15].type(), std::string_view("single"));
        QCOMPARE(devices[16].ipus, (Ids{0, 1}));
        QCOMPARE(devices[23].ipus, (Ids{14, 15}));
        QCOMPARE(devices[27].ipus, (Ids{12, 13, 14, 15}));
        QCOMPARE(devices[28].ipus.size(), std::size_t(8));
        QCOMPARE(devices[30].ipus.size(), std::size_t(16));
        for (std::size_t i = 0; i < devices.size(); ++i)
            QCOMPARE(devices[i].id, static_cast<std::int64_t>(i));
    }

    void listsOnlyWholeGroupsOfOtherCounts() {
        QCOMPARE(listDevices(1).size(), std::size_t(1));
        QCOMPARE(listDevices(6).size(), std::size_t(6 + 3 + 1));
        QVERIFY(listDevices(0).empty());
    }

    void selectsByCountWithoutGivingAnIpuTwice() {
        const auto listing = listDevices(8);
        const auto chosen = selectByCount(listing, Ids{4, 2, 1, 1});
        QVERIFY(chosen);
        QCOMPARE((*chosen)[0].ipus, (Ids{0, 1, 2, 3}));
        QCOMPARE((*chosen)[1].ipus, (Ids{4, 5}));
        QCOMPARE((*chosen)[2].ipus, (Ids{6}));
        QCOMPARE((*chosen)[3].ipus, (Ids{7}));
        QVERIFY(!selectByCount(listing, Ids{8, 1}));
        QCOMPARE(selectByCount(listing, Ids{3}).error().front().code,
                 std::string("failed-precondition/no-device"));
    }

    void selectsByIdAndRefusesRepeatedAndUnknownOnes() {
        const auto listing = listDevices(4);
        QCOMPARE(selectById(listing, Ids{6, 0})->front().ipus, (Ids{0, 1, 2, 3}));
        QCOMPARE(selectById(listing, Ids{1, 1}).error().front().code,
                 std::string("value-error/duplicate-device"));
        QCOMPARE(selectById(listing, Ids{7}).error().front().code,
                 std::string("failed-precondition/no-device"));
    }
};

REGISTER_TEST("device_listing", DeviceListingTest)
#include "device_listing_test.moc"
