import AtRestContainers
import AtRestFormats
import Foundation
import Testing

/// The walk must find the values that another tool reads in files of public reference images.
@Suite struct RealContainerTests {
  private static let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appending(path: "../../AtRestFormatsTests/Fixtures").standardizedFileURL

  private static func source(_ name: String) throws -> ContainerSource {
    try ContainerSource(fixtures.appending(path: name).path)
  }

  private static func rows(_ name: String) throws -> [[Any]] {
    let data = try Data(contentsOf: fixtures.appending(path: name))
    let golden = try JSONSerialization.jsonObject(with: data) as? [String: Any]
    return try #require(golden?["data"] as? [[Any]])
  }

  @Test func everyCookieIsAValue() throws {
    let image = "iLEAPP/appCookies.appCookies.josh_ios17_ffs"
    let run = try WalkRun(Self.source("\(image).zip"))
    let cookies = run.items.filter { item in
      guard case .record? = item.locator.steps.last else { return false }
      return !item.isRaw && !item.isKey
    }
    #expect(cookies.count == 409)
    let expected = try Self.rows("\(image).json").map { "\($0[2])\($0[4]) \($0[3]): \($0[5])" }
    let found = cookies.map { "\($0.locator.steps.last?.description ?? ""): \($0.text ?? "")" }
    #expect(found.sorted() == expected.sorted())
    #expect(run.summary.problems == [])
  }

  @Test func rowsThatLieInTheLogAloneAreValues() throws {
    let run = try WalkRun(Self.source("SQLite/real.zip"))
    func values(_ column: String) -> [String] {
      run.items.filter { item in
        guard case .cell(let table, _, let name)? = item.locator.steps.last else { return false }
        return !item.isRaw && table == "usermodeldurablerecords" && name == column
      }.compactMap(\.text)
    }
    let golden = try Self.rows("SQLite/user-model.json")
    #expect(values("key") == golden.map { "\($0[2])" })
    #expect(values("value") == golden.map { "\($0[3])" })
  }

  /// The rows whose requests have `Authorization: Bearer`, as SQLite and another reader of property
  /// lists read them.
  private static let bearers: Set<Int64> = [
    2, 3, 4, 5, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 26, 27, 28, 29, 31, 32, 33, 37,
  ]

  @Test func eachTokenOfARequestIsFoundOnce() throws {
    let result = try ContainerScan(Self.source("SQLite/real.zip")).run()
    let rows = result.discoveries.compactMap { discovery -> Int64? in
      guard case .secret(let detection) = discovery.subject, discovery.state == .live,
        [.token, .webToken].contains(detection.kind),
        discovery.locator.description.hasSuffix(".Authorization")
      else { return nil }
      for case .cell("cfurl_cache_blob_data", let row, "request_object") in discovery.locator.steps
      {
        return row
      }
      return nil
    }
    #expect(rows.count == Self.bearers.count)
    #expect(Set(rows) == Self.bearers)
  }
}
