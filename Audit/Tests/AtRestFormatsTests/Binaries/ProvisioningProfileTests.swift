import AtRestFormats
import Foundation
import Testing

@Suite struct ProvisioningProfileTests {
  @Test(arguments: ["profile", "streamed"]) func aProfileIsRead(_ name: String) throws {
    let profile = try ProvisioningProfile(
      Fixture.source("Made/\(name).mobileprovision"), path: name)
    #expect(profile.name == "Sample Development")
    #expect(profile.teamName == "Example Org")
    #expect(profile.teamIdentifiers == ["ABCDE12345"])
    #expect(profile.deviceCount == 3)
    #expect(!profile.isForAllDevices)
    #expect(profile.entitlements?["get-task-allow"]?.isTrue == true)
    #expect(profile.expires?.ISO8601Format() == "2025-01-02T03:04:05Z")
    #expect(
      FileType.read(try Fixture.bytes("Made/\(name).mobileprovision"), isWhole: true)
        == .signedMessage)
  }

  @Test func anotherFileIsRefused() {
    #expect(throws: FormatError.self) { try ProvisioningProfile(ByteSource([1, 2]), path: "p") }
  }

  @Test(arguments: ["profile", "streamed"]) func brokenFilesAreSurvived(_ name: String) throws {
    Hostile.forms(of: try Fixture.bytes("Made/\(name).mobileprovision")) {
      _ = try? ProvisioningProfile(ByteSource($0), path: "p")
    }
  }
}
