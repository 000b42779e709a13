extension IdentityForm {
  /// The numbers whose form or check digits are rare in other text, one per line.
  public static let all: [IdentityForm] = [
    .init(
      "US social security number", "999-99-9999:none 999999999:none", nil,
      "ssn, social security, social-security, socialsecurity",
      "Social Security Administration, RM 10201.035", isSocialSecurity),
    .init(
      "UK national insurance number", "AA999999A:weak AA_99_99_99_A:weak", nil,
      "nino, national insurance", "HMRC, NIM39110, Format of national insurance numbers",
      isNationalInsurance),
    .init(
      "Spanish DNI or NIE", "99999999A:weak 99999999-A:weak A9999999A:weak A-9999999-A:weak",
      "modulo 23", "dni, nie, nif",
      "Ministerio del Interior, Cálculo del dígito de control del NIF/NIE",
      isDNI),
    .init(
      "Italian codice fiscale", "AAAAAA99A99A999A:strong", "modulo 26",
      "codice fiscale, codicefiscale",
      "D.M. 23 dicembre 1976, art. 2 to 9", isCodiceFiscale),
    .init(
      "French numéro de sécurité sociale", "999999999999999:weak 9_99_99_99_999_999_99:strong",
      "modulo 97",
      "sécurité sociale, securite sociale, nir, insee",
      "INSEE, Numéro de sécurité sociale (NIR), définition",
      isNIR),
    .init(
      "Belgian rijksregisternummer", "99.99.99-999.99:strong", "modulo 97",
      "rijksregister, registre national, insz, niss", "Rijksregister, Instructies IT 000",
      isRijksregister),
    .init(
      "Swiss AHV number", "756.9999.9999.99:strong 7569999999999:weak", "EAN-13", "ahv, avs, oasi",
      "Central Compensation Office, The OASI number", isEAN),
    .init(
      "Swedish personnummer", "999999-9999:weak", "Luhn", "personnummer",
      "Skatteverket, SKV 704, Personnummer och samordningsnummer", isPersonnummer),
    .init(
      "Swedish personnummer", "99999999-9999:weak", "Luhn", "personnummer",
      "Skatteverket, SKV 704, Personnummer och samordningsnummer", isLongPersonnummer),
    .init(
      "Finnish henkilötunnus", "999999-999*:strong", "modulo 31", "hetu, henkilötunnus",
      "Digital and Population Data Services Agency, The personal identity code", isHenkilotunnus),
    .init(
      "Finnish henkilötunnus", "999999A999*:strong", "modulo 31", "hetu, henkilötunnus",
      "Digital and Population Data Services Agency, The personal identity code",
      isHenkilotunnusWithLetter),
    .init(
      "Brazilian CPF", "999.999.999-99:strong", "modulo 11, twice", "cpf",
      "Receita Federal, Cadastro de Pessoas Físicas", isCPF),
    .init(
      "Chinese resident identity number", "99999999999999999*:weak", "modulo 11",
      "身份证, idcard, id card",
      "GB 11643-1999", isResident),
    .init(
      "Indian Aadhaar", "9999_9999_9999:weak", "Verhoeff", "aadhaar, aadhar",
      "UIDAI, Aadhaar numbering scheme",
      isAadhaar),
  ]

  /// Creates a form from templates such as `99_99:weak`, where `_` stands for a space, and from words that commas
  /// separate.
  private init(
    _ name: String, _ templates: String, _ check: String?, _ words: String, _ source: String,
    _ isValid: @escaping @Sendable ([UInt8]) -> Bool
  ) {
    self.name = name
    self.templates = templates.split(separator: " ").map { text in
      let parts = text.split(separator: ":")
      let strength: Strength =
        switch parts[1] {
        case "strong": .strong
        case "weak": .weak
        default: .none
        }
      return Template(parts[0].map { $0 == "_" ? " " : String($0) }.joined(), strength)
    }
    self.check = check
    self.words = words.split(separator: ",").map { String($0.drop { $0 == " " }) }
    self.source = source
    self.isValid = isValid
  }
}
