#if !canImport(Darwin)
  import AtRestKeybag
  import Foundation
  import Testing

  /// The default folders of stores and device keys: the XDG Base Directory Specification.
  @Suite struct PlatformFoldersTests {
    private func folders(_ environment: [String: String]) -> [String] {
      let folders = PlatformFolders(environment: environment)
      return [folders.home.path, folders.data.path, folders.state.path]
    }

    @Test func theyAreInTheHomeFolderOfTheEnvironment() {
      #expect(
        folders(["HOME": "/x"])
          == ["/x", "/x/.local/share/atrest", "/x/.local/state/atrest"])
    }

    @Test func theVariablesReplaceThem() {
      #expect(
        folders(["HOME": "/x", "XDG_DATA_HOME": "/d", "XDG_STATE_HOME": "/s"])
          == ["/x", "/d/atrest", "/s/atrest"])
    }

    @Test(arguments: ["", "relative", "./x", "~"]) func whatIsNotAbsoluteIsIgnored(_ path: String) {
      let user = FileManager.default.homeDirectoryForCurrentUser.path
      #expect(
        folders(["HOME": path, "XDG_DATA_HOME": path, "XDG_STATE_HOME": path])
          == [user, "\(user)/.local/share/atrest", "\(user)/.local/state/atrest"])
    }

    @Test func aTildeIsTheHomeFolder() {
      let folders = PlatformFolders(environment: ["HOME": "/x"])
      #expect(folders.expandingTilde("~").path == "/x")
      #expect(folders.expandingTilde("~/a").path == "/x/a")
      #expect(folders.expandingTilde("/~/a").path == "/~/a")
    }
  }
#endif
