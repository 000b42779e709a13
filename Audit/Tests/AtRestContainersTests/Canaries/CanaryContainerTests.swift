import AtRestContainers
import AtRestFormats
import Foundation
import Testing

/// A container with a canary in each format and encoding that can be read.
@Suite struct CanaryContainerTests {
  /// Returns the places at which each canary was found, by the name of the canary.
  private func found(_ result: ContainerScan.Result) -> [String: [String]] {
    var found: [String: [String]] = [:]
    for discovery in result.discoveries {
      let name =
        if case .canary(let canary, _) = discovery.subject { canary.name } else { "secret" }
      found[name, default: []].append("\(discovery.locator)")
    }
    return found
  }

  @Test func eachCanaryIsFoundWhereItLiesAndNowhereElse() throws {
    let container = try CanaryContainer()
    #expect(container.places.count >= 120)
    #expect(container.places.count { CanaryContainer.deleted.contains($0.key) } == 10)
    let scan = ContainerScan(
      ContainerSource(files: container.files), canaries: try container.canaries())
    let result = try scan.run()
    let expected = container.places.map { ("\($0.key)", [$0.value]) }
    #expect(found(result) == Dictionary(uniqueKeysWithValues: expected))
    for discovery in result.discoveries {
      guard case .canary(let canary, _) = discovery.subject else { continue }
      let isDeleted = Int(canary.name).map(CanaryContainer.isDeleted) ?? false
      #expect(discovery.state == (isDeleted ? .deleted : .live), "\(canary.name)")
    }
  }

  /// Checks the bytes of the files, without any reader.
  @Test(arguments: CanaryContainer.deleted)
  func aDeletedRowLiesWhereItIsSaidTo(_ number: Int) throws {
    let container = try CanaryContainer()
    let place = try #require(container.places[number])
    let steps = place.split(separator: " › ").map(String.init)
    let log =
      steps.contains("write-ahead log")
      ? "-wal" : steps.contains("rollback journal") ? "-journal" : ""
    let file = try #require(container.files[steps[0] + log])
    let numbers = try #require(steps.first { $0.hasPrefix("deleted") })
      .split { !$0.isNumber }.compactMap { Int($0) }
    #expect(numbers.count == 2)
    let row = file[numbers[1]..<min(file.count, numbers[1] + 48)]
    #expect(String(decoding: row, as: UTF8.self).contains(CanaryContainer.value(number)))
    if log.isEmpty { #expect(numbers[0] == numbers[1] / 1024 + 1) }
  }

  @Test func aCleanContainerHasNothing() throws {
    let clean = try CanaryContainer(isClean: true)
    let container = try CanaryContainer()
    #expect(clean.files.count == container.files.count)
    let scan = ContainerScan(
      ContainerSource(files: clean.files), canaries: try container.canaries())
    let result = try scan.run()
    #expect(found(result) == [:])
    #expect(result.furtherDiscoveries == 0)
  }

  @Test func theEvidenceStaysAsItIs() throws {
    let container = try CanaryContainer()
    let folder = try ScratchFolder()
    try container.write(to: folder)
    let before = try Self.contents(of: folder)
    let scan = ContainerScan(
      try ContainerSource(folder.path), canaries: try container.canaries(), hashes: true)
    let result = try scan.run()
    #expect(found(result).count == container.places.count)
    #expect(try Self.contents(of: folder) == before)
    #expect(before.count == container.files.count)
  }

  /// Testing guides advise a search with grep. This compares it with the scan.
  @Test func grepFindsFewerAndNotTheirPlaces() throws {
    let container = try CanaryContainer()
    let folder = try ScratchFolder()
    try container.write(to: folder)
    var count = 0
    for canary in try container.canaries() {
      let grep = Process()
      grep.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      grep.arguments = ["grep", "-rqF", canary.value, folder.path]
      try grep.run()
      grep.waitUntilExit()
      if grep.terminationStatus == 0 { count += 1 }
    }
    print("grep -r finds \(count) of \(container.places.count) canaries, without their places.")
    #expect(count < container.places.count)
  }

  /// Returns the contents of each file in a folder, by its path.
  private static func contents(of folder: ScratchFolder) throws -> [String: Data] {
    var files: [String: Data] = [:]
    for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
      guard let data = FileManager.default.contents(atPath: "\(folder.path)/\(path)") else {
        continue
      }
      files[path] = data
    }
    return files
  }
}
