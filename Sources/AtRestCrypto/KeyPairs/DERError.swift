/// The reason why an encoding is not accepted, as the middle of a sentence that shows no content.
struct DERError: Error {
  let reason: String
  init(_ reason: String) { self.reason = reason }
}
