import AtRestAudit
import Testing

@Suite struct FileKindTests {
  @Test(arguments: [
    ("App/A.swift", FileKind.swift), ("A.m", .objectiveC), ("A.mm", .objectiveC),
    ("A.h", .objectiveC), ("Main.storyboard", .interface), ("V.xib", .interface),
    ("Info.plist", .propertyList), ("App.entitlements", .propertyList),
    ("PrivacyInfo.xcprivacy", .propertyList), ("en.lproj/L.strings", .strings),
    ("Debug.xcconfig", .buildSettings), ("App.xcodeproj/project.pbxproj", .xcodeProject),
    ("M.xcdatamodeld/M.xcdatamodel/contents", .dataModel), ("Podfile.lock", .lockFile),
    ("Package.resolved", .lockFile), ("Cartfile.resolved", .lockFile), ("key.pem", .keyFile),
    ("ID.P12", .keyFile), ("id_rsa", .keyFile), ("google.json", .json),
    ("Login.HTML", .page), ("help/a.htm", .page),
  ])
  func tells(path: String, kind: FileKind) {
    #expect(FileKind(path: path) == kind)
  }

  @Test(arguments: [
    "contents", "README.md", "A.png", "Makefile", "", "a.", ".swift/x", "x/contents",
  ])
  func leavesOthers(path: String) {
    #expect(FileKind(path: path) == nil)
  }
}
