import AtRestFormats
import Foundation
import Testing

@Suite struct BinaryCookiesTests {
  private static let image = "appCookies.appCookies.josh_ios17_ffs"

  private func cookies(_ bytes: [UInt8]) throws -> ([BinaryCookies.Cookie], [Skip]) {
    var cookies: [BinaryCookies.Cookie] = []
    let skipped = try BinaryCookies.read(ByteSource(bytes), path: "c") { cookies.append($0) }
    return (cookies, skipped)
  }

  private func row(
    _ created: Double, _ expires: Double, _ texts: [String], _ isSecure: Bool, _ isHTTPOnly: Bool
  ) -> String {
    ([String(Int(created)), String(Int(expires))] + texts + ["\(isSecure) \(isHTTPOnly)"])
      .joined(separator: "|")
  }

  @Test func realFilesGiveTheRowsOfAnotherTool() throws {
    var found: [String] = []
    let files = try Fixture.image(Self.image)
    #expect(files.count == 33)
    for file in files {
      let (cookies, skipped) = try cookies(file.bytes)
      #expect(skipped.isEmpty)
      for cookie in cookies {
        found.append(
          row(
            cookie.created?.timeIntervalSince1970 ?? 0,
            cookie.expires?.timeIntervalSince1970 ?? 0,
            [cookie.domain, cookie.name, cookie.path, cookie.value], cookie.isSecure,
            cookie.isHTTPOnly))
      }
    }
    let expected = try Fixture.rows(Self.image).map { cells in
      let flags = cells[6] as? String ?? ""
      return row(
        cells[0] as? Double ?? 0, cells[1] as? Double ?? 0, cells[2...5].map { "\($0)" },
        flags.contains("Secure"), flags.contains("HTTP Only"))
    }
    #expect(found.count == 409)
    #expect(found.sorted() == expected.sorted())
  }

  @Test func portAndCommentAreRead() throws {
    var record = [UInt8](repeating: 0, count: 58)
    record[4] = 1
    record[12] = 1
    record[56...57] = [0x90, 0x1F]
    for (field, text) in zip([16, 20, 24, 28, 32], ["a.b", "n", "/", "v", "why"]) {
      record[field] = UInt8(record.count)
      record += Array(text.utf8) + [0]
    }
    record[0] = UInt8(record.count)
    let page: [UInt8] = [0, 0, 1, 0, 1, 0, 0, 0, 16, 0, 0, 0, 0, 0, 0, 0] + record
    let file = Array("cook".utf8) + [0, 0, 0, 1, 0, 0, 0, UInt8(page.count)] + page
    let (cookies, skipped) = try cookies(file)
    let cookie = try #require(cookies.first)
    #expect(skipped.isEmpty)
    #expect(cookie.port == 8080)
    #expect(cookie.comment == "why")
    #expect(cookie.version == 1)
    #expect(cookie.value == "v")
    #expect(cookie.offset == 28)
  }

  @Test func recordsThatOverlapAreReportedAndNotMultiplied() throws {
    let file = try #require(Fixture.image(Self.image).map(\.bytes).first { $0.count == 277 })
    var page = Array(file[12...])
    page.replaceSubrange(4..<8, with: [200, 0, 0, 0])
    let (cookies, skipped) = try cookies(Array(file[..<12]) + page)
    #expect(cookies.count <= 2)
    #expect(!skipped.isEmpty)
  }

  @Test func aFileCutOffGivesWhatIsThere() throws {
    let file = try #require(Fixture.image(Self.image).map(\.bytes).max { $0.count < $1.count })
    let (whole, _) = try cookies(file)
    let (part, skipped) = try cookies(Array(file.prefix(file.count / 2)))
    #expect(!part.isEmpty && part.count < whole.count)
    #expect(!skipped.isEmpty)
  }

  @Test func brokenFilesAreSurvived() throws {
    let file = try #require(
      Fixture.image(Self.image).map(\.bytes).filter { $0.count > 500 }.min { $0.count < $1.count })
    Hostile.forms(of: file) { _ = try? cookies($0) }
  }
}
