import AtRestKeybag
import Foundation
import Testing

/// A store and a device key that one copy would contain are listed as a risk.
@Suite struct StoreLocationRiskTests {
  private func risks(_ store: String, _ device: String) -> [String] {
    StoreLocation(store: store, device: device).risks.map(\.id)
  }

  @Test func oneFileSystemIsARisk() throws {
    let folder = TemporaryFolder()
    // Neither folder exists yet: each will be on the file system of its nearest existing folder.
    #expect(risks(folder.path("a/store"), folder.path("b/device")) == ["device-key-beside-store"])
    let risk = try #require(
      StoreLocation(store: folder.path("a/store"), device: folder.path("b/device")).risks.first)
    #expect(risk.remedy.contains(folder.path("b/device")))
  }

  #if os(Linux)
    @Test func twoFileSystemsAreNone() throws {
      let folder = TemporaryFolder()
      // Control: another file system, on which nothing is created.
      #expect(risks(folder.path("store"), "/proc/atrest/device") == [])
      #expect(risks(folder.path("store"), "/proc/self/device") == [])
    }

    @Test func oneParentIsARiskWhateverItsFileSystem() throws {
      let folder = TemporaryFolder()
      try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
      try FileManager.default.createSymbolicLink(
        atPath: folder.path("link"), withDestinationPath: "/proc")
      #expect(risks("/proc/store", "/proc/device") == ["device-key-beside-store"])
      // Links are followed, in both directions.
      #expect(risks("/proc/a/store", folder.path("link/b/device")) == ["device-key-beside-store"])
      #expect(risks(folder.path("store"), folder.path("link/device")) == [])
    }
  #endif
}
