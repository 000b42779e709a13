import AtRestFoundation
import AtRestKeychain
import AtRestSimulation
import Testing

@Suite struct GroupContainerTests {
  private let group = "group.com.example.shared"
  private var application: ApplicationIdentity {
    ApplicationIdentity("com.example.app", applicationGroups: [group])
  }
  private var widget: ApplicationIdentity {
    ApplicationIdentity("com.example.app.widget", applicationGroups: ["group.other", group])
  }

  private func container(_ group: String? = nil) -> URL? {
    FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: group ?? self.group)
  }

  @Test func theApplicationsOfAGroupShareAFolder() throws {
    let device = try SimulatedDevice(passcode: "1234")
    let secret = Data("The quick brown fox".utf8)
    try device.run(as: application) {
      let folder = try #require(container())
      #expect(FileManager.default.fileExists(atPath: folder.path + "/Library/Caches"))
      try secret.write(
        to: folder.appendingPathComponent("file"), options: .completeFileProtection)
    }
    try device.run(as: widget) {
      let folder = try #require(container())
      try #expect(Data(contentsOf: folder.appendingPathComponent("file")) == secret)
    }
  }

  @Test func onlyTheUserMayEnterIt() throws {
    let device = try SimulatedDevice()
    try device.run(as: application) {
      let folder = try #require(container())
      let attributes = try FileManager.default.attributesOfItem(atPath: folder.path)
      #expect(attributes[.posixPermissions] as? Int == 0o700)
    }
  }

  @Test func aGroupOfOthersHasNone() throws {
    let device = try SimulatedDevice()
    device.run(as: application) { #expect(container("group.other") == nil) }
    device.run { #expect(container() == nil) }
  }

  @Test(arguments: ["", ".", "..", "../group", "a/b", "a\0b"])
  func aNameThatIsNoFoldersHasNone(name: String) throws {
    let device = try SimulatedDevice()
    device.run(as: ApplicationIdentity("com.example.app", applicationGroups: [name])) {
      #expect(container(name) == nil)
    }
  }

  @Test func devicesShareNothing() throws {
    let (one, other) = (try SimulatedDevice(), try SimulatedDevice())
    #expect(one.run(as: application) { container() } != other.run(as: application) { container() })
  }

  @Test func aRestartKeepsAndErasingDeletesIt() throws {
    let device = try SimulatedDevice(passcode: "1234")
    let folder = try #require(device.run(as: application) { container() })
    try device.restart()
    #expect(device.run(as: application) { container() } == folder)
    try device.erase()
    #expect(!FileManager.default.fileExists(atPath: folder.path))
    #expect(device.run(as: application) { container() } != folder)
  }

  @Test func itIsDeletedWithTheDevice() throws {
    var device: SimulatedDevice? = try SimulatedDevice()
    let folder = try #require(device?.run(as: application) { container() })
    #expect(FileManager.default.fileExists(atPath: folder.path))
    device = nil
    #expect(!FileManager.default.fileExists(atPath: folder.path))
  }
}
