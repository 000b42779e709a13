import AtRestContainers
import AtRestFormats
import Foundation
import Testing

/// Each canary of a store is found at its place and nowhere else.
@Suite struct StoreCanaryTests {
  private func scan(_ files: [String: [UInt8]]) throws -> ContainerScan.Result {
    let canaries = try StoreFixture.all.map { try Canary(name: $0.canary, value: $0.canary) }
    return try ContainerScan(ContainerSource(files: files), canaries: canaries).run()
  }

  private func found(_ result: ContainerScan.Result) -> [String: [String]] {
    var found: [String: [String]] = [:]
    for discovery in result.discoveries {
      let name =
        if case .canary(let canary, _) = discovery.subject { canary.name } else { "secret" }
      let state = discovery.state == .deleted ? "deleted: " : ""
      found[name, default: []].append("\(state)\(discovery.locator)")
    }
    return found
  }

  @Test func eachCanaryIsFoundAtOnePlace() throws {
    let result = try scan(StoreFixture.files())
    let found = found(result)
    for place in StoreFixture.all {
      let copies = StoreFixture.copies[place.locator].map {
        ["deleted: Documents/lmdb/data.mdb › \($0)"]
      }
      let expected = (place.isDeleted ? "deleted: " : "") + place.locator
      #expect(found[place.canary] == [expected] + (copies ?? []))
    }
    #expect(found.count == StoreFixture.all.count)
    #expect(result.summary.problems.map(\.reason) == [])
  }

  @Test func cleanStoresHaveNothing() throws {
    let clean = try StoreFixture.files(isClean: true)
    #expect(try clean.keys.sorted() == StoreFixture.files().keys.sorted())
    let result = try scan(clean)
    #expect(found(result) == [:])
    #expect(result.summary.problems.map(\.reason) == [])
  }
}
