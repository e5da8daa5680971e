#include "core/project/project_setting.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>

using core::Json;

namespace {

const char* const project =
    R"({"name":"a","model":{"config":{"layers":[{"config":{"units":3}},{"config":{"units":4}}]}},)"
    R"("pipeline":{"stages":[0,1],"pipeline_schedule":"Grouped"},"training":{"optimizer":"sgd"},)"
    R"("canvas":{"positions":{"a.b":[1,2]}},"ipu_config":{}})";

/// The project after the settings, or the first diagnostic's text.
std::string after(std::initializer_list<const char*> texts) {
    std::vector<core::ProjectSetting> settings;
    for (const char* text : texts) {
        auto setting = core::parseSetting(text);
        if (!setting)
            return core::toText(setting.error().front());
        settings.push_back(*setting);
    }
    auto applied = core::withSettings(Json::parse(project), settings);
    return applied ? core::toText(applied->project, -1) : core::toText(applied.error().front());
}

} // namespace

class ProjectSettingTest : public QObject {
    Q_OBJECT

private slots:
    void readsTheValueAsJsonWhereItCan() {
        QVERIFY(core::parseSetting("a.b=[1, 2]")->value == Json({1, 2}));
        QVERIFY(core::parseSetting("a.b=true")->value == Json(true));
        QVERIFY(core::parseSetting("a.b=null")->value == Json());
        QVERIFY(core::parseSetting("a.b=Interleaved")->value == Json("Interleaved"));
        QVERIFY(core::parseSetting("a.b=x=y")->value == Json("x=y"));
        QVERIFY(core::parseSetting("a.b=")->value == Json(""));
    }

    void refusesASettingWithoutPathOrValue() {
        for (const char* text : {"a.b", "=3", "", ".a=3", "a.=3", "a..b=3"}) {
            const auto setting = core::parseSetting(text);
            QVERIFY(!setting);
            QVERIFY(setting.error().front().trouble == core::Trouble::Usage);
        }
    }

    void makesTheObjectsOnTheWay() {
        QVERIFY(after({"training.dataset.kind=synthetic"}).find(R"("dataset":{"kind":"synthetic"})") !=
                std::string::npos);
    }

    void letsTheLongestOptionNameWin() {
        QVERIFY(after({"ipu_config.matmuls.clear_pass_type=true"})
                    .find(R"("ipu_config":{"matmuls.clear_pass_type":true})") != std::string::npos);
        QVERIFY(after({"ipu_config.matmuls.poplar_options.partialsType.interTile=half"})
                    .find(R"("ipu_config":{"matmuls.poplar_options":{"partialsType.interTile":"half"}})") !=
                std::string::npos);
        QVERIFY(after({"ipu_config.matmuls.clear_pas_type=true"})
                    .find(R"("ipu_config":{"matmuls.clear_pas_type":true})") != std::string::npos);
    }

    void findsKeysWithDots() {
        QVERIFY(after({"canvas.positions.a.b=[3,4]"}).find(R"({"a.b":[3,4]})") != std::string::npos);
    }

    void reachesIntoLists() {
        QVERIFY(after({"model.config.layers.1.config.units=9"}).find(R"("units":9)") != std::string::npos);
        QVERIFY(after({"pipeline.stages.0=1"}).find(R"("stages":[1,1])") != std::string::npos);
        QVERIFY(after({"pipeline.stages.2=1"}).find("has no entry \"2\"") != std::string::npos);
        QVERIFY(after({"pipeline.stages.x=1"}).find("--set pipeline.stages.x") != std::string::npos);
    }

    void putsTheDefaultBackWithNull() {
        QVERIFY(after({"pipeline.stages=null"}).find("stages") == std::string::npos);
        QVERIFY(after({"pipeline.schedule=null"}).find("schedule") == std::string::npos);
    }

    void keepsOneNameOfTheSchedule() {
        QVERIFY(after({"pipeline.schedule=Sequential"})
                    .find(R"("pipeline":{"stages":[0,1],"schedule":"Sequential"})") != std::string::npos);
    }

    void opensAnOptimizerGivenByName() {
        QVERIFY(after({"training.optimizer.config.learning_rate=0.5"})
                    .find(R"("optimizer":{"class_name":"sgd","config":{"learning_rate":0.5}})") !=
                std::string::npos);
    }

    void refusesAPathThroughAValue() {
        QVERIFY(after({"name.x=1"}).find("/name is text and holds no \"x\"") != std::string::npos);
    }

    void namesTheSettingInLaterFindings() {
        const auto setting = core::parseSetting("ipu_config.matmuls.clear_pass_type=3").value();
        const auto applied = core::withSettings(Json::parse(project), {setting}).value();
        core::Diagnostic finding;
        finding.location = {"p", "/ipu_config/matmuls.clear_pass_type"};
        const auto placed = core::withSettingPlaces({finding}, {setting}, applied.pointers);
        QCOMPARE(placed.front().location.place, std::string("--set ipu_config.matmuls.clear_pass_type"));
    }

    void namesTheSettingThatMadeAnUnknownKey() {
        const core::ProjectSetting setting = core::parseSetting("a.b=1").value();
        core::Diagnostic finding;
        finding.location = {"p", "/a"};
        QCOMPARE(core::withSettingPlaces({finding}, {setting}, {"/a/b"}).front().location.place,
                 std::string("/a"));
        finding.code = "project/unknown-key";
        QCOMPARE(core::withSettingPlaces({finding}, {setting}, {"/a/b"}).front().location.place,
                 std::string("--set a.b"));
    }
};

REGISTER_TEST("project_setting", ProjectSettingTest)
#include "project_setting_test.moc"
