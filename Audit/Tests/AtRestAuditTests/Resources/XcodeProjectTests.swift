import AtRestAudit
import AtRestAuditResources
import Foundation
import Testing

@Suite struct XcodeProjectTests {
  private let project = XcodeProject.read(
    Data(ResourceSamples.project.utf8), path: "Mobile/App.xcodeproj/project.pbxproj")

  @Test func `Targets have their kinds`() {
    #expect(project.skipped.isEmpty)
    #expect(project.targets.map(\.name) == ["App", "AppTests"])
    #expect(project.targets.map(\.kind) == [.application, .test])
  }

  @Test(arguments: [
    ("Mobile/App/Login.swift", ["App"]), ("Mobile/App/Settings.plist", ["App"]),
    ("Mobile/App/Keys/server.pem", ["App"]), ("Mobile/AppTests/Fixture.plist", ["AppTests"]),
    ("Mobile/App/en.lproj/Main.storyboard", ["App"]), ("Mobile/App/Info.plist", ["App"]),
    ("Mobile/Shared/deep/Theme.json", ["App"]), ("Mobile/Shared/Info.plist", []),
    ("Mobile/Sharedness/a.json", []), ("App/Login.swift", []),
  ])
  func `A file is in the targets that build it`(_ path: String, _ names: [String]) {
    #expect(project.targets(of: path).map(\.name) == names)
  }

  @Test func `What tests alone have does not ship`() {
    #expect(project.isTestOnly("Mobile/AppTests/Fixture.plist"))
    #expect(!project.isTestOnly("Mobile/App/Settings.plist"))
    #expect(!project.isTestOnly("Mobile/README.md"))
    #expect(project.isResource("Mobile/App/Settings.plist"))
    #expect(project.isResource("Mobile/App/Keys/server.pem"))
    #expect(!project.isResource("Mobile/App/Login.swift"))
    #expect(!project.isResource("Mobile/AppTests/Fixture.plist"))
    #expect(!project.isResource("Mobile/Shared/Code.swift"))
  }

  @Test func `A setting comes from the target or the file that it stands on`() {
    let base = XCConfig.read(
      Data("#include \"Common.xcconfig\"\nA = 1 // one\n".utf8), path: "Mobile/App/App.xcconfig")
    let common = XCConfig.read(
      Data("A = 0\nB[sdk=iphone*] = 3\nC = x = y\n".utf8), path: "Mobile/App/Common.xcconfig")
    let files = [base.path: base, common.path: common]
    let app = project.targets.first
    #expect(project.setting("OTHER", of: app, configuration: "Debug") == "-a -b")
    #expect(project.setting("A", of: app, configuration: "Debug", files: files) == "1")
    #expect(project.setting("B", of: app, configuration: "Debug", files: files) == nil)
    #expect(project.setting("C", of: app, configuration: "Debug", files: files) == "x = y")
    #expect(project.setting("A", of: app, configuration: "Release", files: files) == nil)
  }

  @Test func `Files that include each other come to an end`() {
    let one = XCConfig.read(Data("#include \"b.xcconfig\"\nA = 1".utf8), path: "a.xcconfig")
    let two = XCConfig.read(Data("#include? \"a.xcconfig\"\nB = 2".utf8), path: "b.xcconfig")
    #expect(one.resolved(among: ["a.xcconfig": one, "b.xcconfig": two]) == ["A": "1", "B": "2"])
  }

  @Test func `A group that holds itself comes to an end`() {
    let text = """
      {objects = {G = {isa = PBXGroup; children = (G, ); path = a; sourceTree = "<group>"; };
      R = {isa = PBXProject; mainGroup = G; }; }; rootObject = R; }
      """
    let project = XcodeProject.read(Data(text.utf8), path: "A.xcodeproj/project.pbxproj")
    #expect(project.targets.isEmpty)
  }

  @Test func `A file that is no project is said`() {
    let project = XcodeProject.read(Data("{}".utf8), path: "A.xcodeproj/project.pbxproj")
    #expect(project.skipped.map(\.reason) == ["The project has no root object."])
  }
}
