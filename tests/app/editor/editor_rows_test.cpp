#include "core/base/file.h"
#include "core/base/file_limit.h"
#include "tests/support/shared_data.h"
#include "tests/support/test_registry.h"

#include <QRegularExpression>
#include <QtTest/QTest>

namespace {

/// What a person can do in the editor, and the test that shows it.
struct Row {
    const char* number;
    const char* title;
    const char* file;
    const char* function;
};

constexpr Row rows[]{
    {"1", "Drag from the palette", "app/editor/editor_gestures", "aClassOfThePaletteIsAddedWhereItIsDropped"},
    {"2", "Quick add with type-to-filter", "views/graph/graph_view", "quickAddBuildsOnTheSelection"},
    {"3", "Drag from a port to empty space", "app/editor/drawn_models", "anMlpByMouse"},
    {"4", "Drop a layer on a line", "app/editor/editor_gestures", "aClassDroppedOnALineIsPutBetweenItsEnds"},
    {"5", "Unlimited undo and redo", "app/editor/editor_gestures", "everythingDoneIsUndoneAndDoneAgain"},
    {"5", "Random edits end where they should", "views/graph/random_edits",
     "everyStepIsTakenBackAndDoneAgain"},
    {"6", "Copy, paste, duplicate", "app/editor/editor_gestures", "copiesComeWithAndWithoutWhatTheyRead"},
    {"7", "Box select and multi-delete", "app/editor/editor_gestures",
     "aRubberBandSelectsAndDeleteTakesAllOfIt"},
    {"8", "Edit several layers at once", "app/editor/editor_looks", "severalLayersAreGivenOneValue"},
    {"8", "Layers of one class", "views/inspector/inspector_view",
     "severalLayersOfOneClassAreChangedTogether"},
    {"9", "Layered layout", "views/graph/layered_layout", "bothBranchesStandBesideEachOther"},
    {"9", "Trunks stay straight", "views/graph/layered_layout", "joinsLeaveTheTrunkStraight"},
    {"9", "An encoder and a decoder are a U", "views/graph/stage_layout",
     "connectionsStraightAcrossAreDrawnAsAU"},
    {"9", "From left to right", "views/graph/stage_layout", "readFromLeftToRightEveryLineGoesOnToTheRight"},
    {"9", "Lines go around what was moved", "views/graph/stage_layout", "linesGoAroundABoxThatWasMoved"},
    {"9", "Stable under edits", "app/editor/editor_gestures", "whatOneLooksAtStaysInPlaceAndSlides"},
    {"10", "Group and expand in place", "app/editor/editor_looks", "aBlockIsGroupedFoldedAndOpenedInPlace"},
    {"11", "Repeat a block N times", "app/editor/drawn_models", "twelveTransformerBlocksByKeysAlone"},
    {"11", "A block that reads a tensor beside", "core/model/repeat_edit",
     "aBlockWithATensorBesideIsRepeated"},
    {"12", "Shapes on every edge", "app/unfinished_model", "aLooseLayerCostsNoFigureOfTheOthers"},
    {"13", "Validation while typing", "app/unfinished_model", "theMistakeIsSaidWhileItIsTyped"},
    {"14", "Figures per layer in a table", "views/layers/layer_table", "everyCallHasItsFigures"},
    {"15", "Heat by a metric", "app/editor/editor_looks", "heatColoursTheLayerThatTakesLongestMost"},
    {"16", "Templates", "app/template_dialog", "parametersChangeTheFiguresBeforeAnythingIsOpened"},
    {"17", "Opaque layers", "views/inspector/inspector_view", "anOpaqueLayerIsDeclaredInItsFields"},
    {"18", "Notes and frames", "views/graph/canvas_notes", "aNoteIsWrittenOnTheSelectedLayersAndTakenBack"},
    {"19", "Drag cut lines", "views/graph/graph_view", "draggingTheGripMovesTheCutAndPreviewsOnTheWay"},
    {"19", "Cuts of the free layout", "views/graph/cut_gesture", "inTheFreeLayoutACutIsDraggedToo"},
    {"20", "Colour by stage", "app/editor/editor_looks", "everyStageHasItsColourOnItsBoxesAndItsHead"},
    {"21", "Gauges live while dragging", "app/editor/editor_gestures",
     "gaugesFollowACutThatIsDraggedAndEqualARun"},
    {"22", "An uneven split is checked", "views/diagnostics/diagnostics_view",
     "aMovedLayerStaysAndTakesAlongWhatItMust"},
    {"23", "Solve a split", "app/editor/split_solver", "solvesASplitAndAppliesIt"},
    {"24", "Search split and replicas together", "app/plan_searcher",
     "aPlanIsLookedAtThenAppliedAsOneStepAndRunsAsPromised"},
    {"25", "Locks", "app/editor/editor_gestures", "locksLastInTheFile"},
    {"25", "The search keeps them", "app/plan_searcher", "whatMayNotChangeStaysAndALockedLayerToo"},
    {"26", "Stages on IPUs", "views/plan/system_view", "aStageIsDraggedToAnotherIpuAsOneStep"},
    {"27", "Memory proportion of a stage", "views/graph/canvas_keys",
     "theHeadOfAStageShowsWhatWasChosenForIt"},
    {"28", "Traffic and affinity", "views/layers/traffic_view", "layersSayWhatTheyGiveEachOther"},
    {"105", "10,000 layers", "views/graph/layered_layout", "tenThousandBoxesWithShortcutsAreLaidOutInOneGo"},
    {"108", "Nothing blocks", "app/plan_searcher", "theFrontGrowsWhileTheSearchGoesOnAndStopAnswersAtOnce"},
    {"109", "Themes", "app/editor/editor_looks", "aThemeIsTakenAtOnce"},
    {"109", "Themes of the drawing", "views/graph/canvas_painter", "everyThemeAndZoomDrawsTheModel"},
    {"110", "Layouts under names", "app/editor/editor_gestures", "aLayoutIsKeptUnderANameAndTaken"},
    {"110", "Docks recover", "app/unfinished_model", "docksRecoverFromATinyWindow"},
    {"111", "Tour", "app/lessons/tour", "everyStepShowsAPartOfItsOwn"},
    {"111", "Examples", "app/main_window", "opensEveryExampleWithoutChangingIt"},
    {"112", "Shortcuts", "app/lessons/shortcut_sheet", "everyKeyOfAViewMeansSomethingThere"},
    {"112", "Every line about the canvas", "app/editor/sheet_lines", "everyLineOfTheCanvasIsTrue"},
    {"113", "Recents", "app/editor/editor_looks", "whatWasOpenedLastComesFirstAndIsOpenedAgain"},
    {"113", "Favourites", "app/template_dialog", "aFavouriteComesFirstAndIsKept"},
    {"116", "Units of bytes", "app/editor/editor_gestures", "unitsOfBytesAreChosenOnceForAll"},
    {"N1", "Gauges equal a run", "app/editor/editor_gestures", "gaugesFollowACutThatIsDraggedAndEqualARun"},
    {"N3", "Advice holds", "simulator/planner/search/bad_splits", "theBestAdviceRepeatedComesNearTheOptimum"},
    {"N4", "Exact partitions", "simulator/planner/stage_partition",
     "equalsBruteForceOnAllSizesOfSmallChains"},
    {"N9", "Out of memory is repaired", "app/main_window", "aPlanThatDoesNotFitIsAProblemWithItsFigures"},
    {"N12", "Lessons", "app/lessons/lesson", "theStartFailsAndTheReferencePasses"},
};

} // namespace

/// Every row of the editor has a test that is there.
class EditorRowsTest : public QObject {
    Q_OBJECT

private slots:
    void everyRowHasATest_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("function");
        for (const Row& row : rows)
            QTest::addRow("%s %s", row.number, row.title) << QString(row.file) << QString(row.function);
    }

    void everyRowHasATest() {
        QFETCH(QString, file);
        QFETCH(QString, function);
        const auto path = tests::projectRoot() / "tests" / (file.toStdString() + "_test.cpp");
        const auto text = core::readFile(path, core::FileLimit::table);
        QVERIFY2(text.has_value(), path.c_str());
        const QRegularExpression definition("void " + function + "\\(\\) \\{");
        QVERIFY2(QString::fromStdString(*text).contains(definition), qPrintable(function));
    }

    void noNumberIsLeftOut() {
        QStringList wanted;
        for (int number = 1; number <= 28; ++number)
            wanted << QString::number(number);
        for (const char* number :
             {"105", "108", "109", "110", "111", "112", "113", "116", "N1", "N3", "N4", "N9", "N12"})
            wanted << number;
        for (const Row& row : rows)
            wanted.removeAll(row.number);
        QVERIFY2(wanted.isEmpty(), qPrintable(wanted.join(", ")));
    }
};

REGISTER_WIDGET_TEST("editor_rows", EditorRowsTest)
#include "editor_rows_test.moc"
