import AtRestAudit
import AtRestAuditResources
import Foundation
import Testing

@Suite struct LockFileTests {
  private func read(_ text: String, _ name: String) -> LockFile {
    LockFile.read(Data(text.utf8), path: "App/" + name)
  }

  static let pods = """
    PODS:
      - AFNetworking (4.0.1):
        - AFNetworking/NSURLSession (= 4.0.1)
      - AFNetworking/NSURLSession (4.0.1)
      - "Google+Tools (1.2.3-beta.1)"
      - Own (0.1)

    DEPENDENCIES:
      - AFNetworking
      - Own (from `https://example.com/own.git`)

    CHECKOUT OPTIONS:
      Own:
        :commit: 0123456789012345678901234567890123456789
        :git: https://example.com/own.git

    COCOAPODS: 1.11.2
    """

  @Test func `Pods are read once each, with version and line`() {
    let file = read(Self.pods, "Podfile.lock")
    #expect(file.dependencies.map(\.name) == ["AFNetworking", "Google+Tools", "Own"])
    #expect(file.dependencies.map(\.version) == ["4.0.1", "1.2.3-beta.1", "0.1"])
    #expect(file.dependencies.map(\.location.start.line) == [2, 5, 6])
    #expect(file.dependencies.last?.sourceName == "example.com/own")
    #expect(file.skipped.isEmpty)
  }

  static let packages = """
    {
      "pins" : [
        {
          "identity" : "swift-nio",
          "kind" : "remoteSourceControl",
          "location" : "https://github.com/apple/swift-nio.git",
          "state" : { "revision" : "abc", "version" : "2.40.0" }
        }
      ],
      "version" : 2
    }
    """

  @Test func `Packages of every version of the file are read`() {
    let first = """
      {"object": {"pins": [{"package": "NIO", "repositoryURL": "git@github.com:apple/swift-nio.git",
      "state": {"branch": null, "revision": "abc", "version": "2.40.0"}}]}, "version": 1}
      """
    for text in [
      first, Self.packages, Self.packages.replacingOccurrences(of: ": 2\n", with: ": 3\n"),
    ] {
      let file = read(text, "Package.resolved")
      #expect(file.dependencies.map(\.version) == ["2.40.0"])
      #expect(file.dependencies.map(\.sourceName) == ["github.com/apple/swift-nio"])
      #expect(file.skipped.isEmpty)
    }
  }

  static let carthage = """
    github "Alamofire/Alamofire" "5.4.0"
    git "https://example.com/own.git" "0123456789012345678901234567890123456789"
    binary "https://example.com/binary.json" "1.0"
    """

  @Test func `Carthage's pins are read`() {
    let file = read(Self.carthage, "Cartfile.resolved")
    #expect(file.dependencies.map(\.version) == ["5.4.0", nil, "1.0"])
    #expect(file.dependencies.first?.sourceName == "github.com/alamofire/alamofire")
    #expect(file.dependencies[1].revision != nil)
  }

  @Test(arguments: ["Podfile.lock", "Package.resolved", "Cartfile.resolved"])
  func `A line that pins nothing is said`(_ name: String) {
    #expect(!read("PODS:\n  - broken\n{ nothing", name).skipped.isEmpty)
  }
}
