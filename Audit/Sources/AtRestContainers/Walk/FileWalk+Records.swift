import AtRestFormats
import Foundation

/// Formats of records: cookies, words of the keyboard, objects, programs, messages.
extension FileWalk {
  func cookies(_ source: ByteSource, _ place: Place) throws(FormatError) {
    let skipped = try BinaryCookies.read(source, path: "") { cookie in
      var here = place.at(.record(Locator.shortened("\(cookie.domain)\(cookie.path) \(cookie.name)")))
      here.name = cookie.name
      value(cookie.value, here)
      if let comment = cookie.comment { value(comment, here.at(.keyPath("comment"))) }
    }
    say(skipped, place)
  }

  func keyboard(_ source: ByteSource, _ place: Place) throws(FormatError) {
    let skipped = try KeyboardLexicon.read(source, path: "") { word in
      give(.text(word.text), place.at(.offset(word.offset)))
    }
    say(skipped, place)
  }
}
