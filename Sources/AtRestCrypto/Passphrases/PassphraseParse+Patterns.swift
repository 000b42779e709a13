import Foundation

/// Parts that are longer than a word but no harder to guess: well-known phrases, repeated shapes on
/// the keyboard, and sequences of numbers.
extension PassphraseParse {
  // MARK: Phrases

  mutating func matchPhrases(_ index: Int) {
    let byte = Self.lowered(bytes[index])
    matchPhrases(index, PassphrasePhrases.byFirstByte[Int(byte)])
    for letter in Self.letters(meantBy: byte) {
      matchPhrases(index, PassphrasePhrases.byFirstByte[Int(letter)])
    }
  }

  private mutating func matchPhrases(_ index: Int, _ phrases: [[UInt8]]) {
    for phrase in phrases {
      var end = index
      var matched = 0
      var (capitals, substitutions, separators) = (0, 0, 0)
      while matched < phrase.count, end < count {
        let (byte, letter) = (bytes[end], phrase[matched])
        if Self.lowered(byte) == letter {
          if byte != letter { capitals += 1 }
          matched += 1
        } else if Self.letters(meantBy: byte).contains(letter) {
          substitutions += 1
          matched += 1
        } else if matched > 0, Self.standsBetweenWords(byte) {
          separators += 1
        } else {
          break
        }
        end += 1
      }
      guard matched == phrase.count else { continue }
      // Phrases are tried with and without spaces, in capitals, and with a capital for each word.
      let guesses =
        PassphrasePhrases.cost + (separators > 0 ? 0.301 : 0) + (capitals > 0 ? 0.477 : 0)
        + 0.301 * Double(substitutions)
      relax(index, end, guesses, .phrase)
    }
  }

  private static func standsBetweenWords(_ byte: UInt8) -> Bool {
    " -_.,;:'!?/".utf8.contains(byte)
  }

  // MARK: Shapes on the keyboard

  /// Matches a shape of neighbouring keys that is repeated beside itself: `1qaz2wsx3edc`.
  mutating func matchShapes(_ index: Int) {
    for length in 2...6 where index + 2 * length <= count {
      guard let moves = moves(index, length), let step = move(index, index + length) else {
        continue
      }
      guard abs(step.row) <= 1, abs(step.column) <= 2, step != (0, 0) else { continue }
      var times = 1
      while index + (times + 1) * length <= count,
        let next = move(index + (times - 1) * length, index + times * length), next == step,
        let again = self.moves(index + times * length, length),
        again.elementsEqual(moves, by: ==)
      {
        times += 1
      }
      guard times >= 2, times * length >= 6 else { continue }
      let turns = zip(moves, moves.dropFirst()).count { $0 != $1 } + 1
      let shifts = (1..<times).count {
        isShifted(index + $0 * length) != isShifted(index + ($0 - 1) * length)
      }
      // The cost covers the first key, the turns, the direction of the repetition and the number of
      // repetitions.
      let guesses =
        log10(47) + Double(turns) * log10(4.6) + log10(8) + log10(Double(times))
        + 0.301 * Double(shifts)
      relax(index, index + times * length, guesses, .keyboard)
    }
  }

  private func move(_ from: Int, _ to: Int) -> (row: Int, column: Int)? {
    guard let first = Self.keys[Int(bytes[from])], let second = Self.keys[Int(bytes[to])] else {
      return nil
    }
    return (second.row - first.row, second.column - first.column)
  }

  /// Returns the moves between neighbouring keys that make up a shape.
  private func moves(_ index: Int, _ length: Int) -> [(row: Int, column: Int)]? {
    var moves: [(row: Int, column: Int)] = []
    for place in index..<index + length - 1 {
      guard let move = move(place, place + 1), Self.isNeighbour(move) else { return nil }
      moves.append(move)
    }
    return moves
  }

  private func isShifted(_ index: Int) -> Bool {
    let byte = bytes[index]
    return Self.isLetter(byte) ? byte & 0x20 == 0 : !Self.isDigit(byte) && byte < 0x2c
  }

  // MARK: Counted numbers

  /// Matches numbers that increase or decrease by a constant step: `101112131415`, `2 4 6 8 10 12`.
  mutating func matchCounting(_ index: Int) {
    guard Self.isDigit(bytes[index]) else { return }
    for first in 1...4 {
      for second in max(1, first - 1)...first + 1 {
        guard let begin = number(index, first) else { return }
        var end = index + first
        let separator = end < count && Self.standsBetweenWords(bytes[end]) ? bytes[end] : nil
        guard let next = number(end + (separator == nil ? 0 : 1), second) else { continue }
        let step = next - begin
        guard step != 0, abs(step) <= 1111 else { continue }
        var value = begin
        var times = 1
        // If the first number begins with a zero, the others have at least as many digits.
        while let width = width(of: value + step, like: index, first) {
          var from = end
          if let separator {
            guard from < count, bytes[from] == separator else { break }
            from += 1
          }
          guard number(from, width) == value + step else { break }
          value += step
          times += 1
          end = from + width
        }
        guard times >= 3, end - index >= 5 else { continue }
        relax(
          index, end,
          log10(Double(begin + 10)) + log10(Double(abs(step) + 1)) + log10(Double(times))
            + (separator == nil ? 0.301 : 0.602), .counted)
      }
    }
  }

  private func width(of value: Int, like index: Int, _ count: Int) -> Int? {
    guard value >= 0 else { return nil }
    let width = String(value).utf8.count
    return bytes[index] == UInt8(ascii: "0") ? max(width, count) : width
  }

  func number(_ from: Int, _ length: Int) -> Int? {
    guard from + length <= count else { return nil }
    var value = 0
    for offset in from..<from + length {
      guard Self.isDigit(bytes[offset]) else { return nil }
      value = value * 10 + Int(bytes[offset] - 0x30)
    }
    return value
  }
}
