import AtRestFiles
import Foundation
import Testing

@Suite struct FileProtectionTests {
  @Test(arguments: FileProtection.allCases) func foundationsNameIsUnderstood(
    _ protection: FileProtection
  ) {
    #expect(FileProtection(protection.fileProtectionType) == protection)
  }

  @Test func anUnknownNameIsNoClass() {
    #expect(FileProtection(FileProtectionType(rawValue: "NSFileProtectionNew")) == nil)
  }
}
