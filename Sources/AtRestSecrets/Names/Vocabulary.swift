/// The words of names of sensitive values, in the languages that apps are written in.
public enum Vocabulary {
  /// Words with one meaning. The last word of a name decides.
  static let words = table([
    .password: """
    password passwords passwd passwrd psswd pwd pswd passcode passcodes passphrase pincode pinno mpin
    upin otp totp credential credentials creds pasuwaado
    contraseña contrasena contrasenya passwort passwörter passworter kennwort geheimzahl mdp
    zugangscode toegangscode contraseñas contrasenas senhas wachtwoorden şifresi sifresi parolası parolasi
    motdepasse senha parola palavrapasse wachtwoord lösenord losenord lozinka hasło haslo heslo jelszo jelszó
    salasana adgangskode passord şifre sifre пароль parol 密码 密碼 口令 mima パスワード 暗証番号
    비밀번호 암호 รหัสผ่าน סיסמה m\u{1EAD}tkh\u{1EA9}u matkhau पासवर्ड
    """,
    .secret: "secret secrets credentialsecret",
    .token: """
    token jwt apikey apisecret accesstoken authtoken refreshtoken sessiontoken idtoken sessionid sessid
    phpsessid jsessionid authkey clientsecret accesskey oauthtoken jeton toegangstoken
    """,
    .privateKey: """
    privatekey secretkey encryptionkey aeskey masterkey seedphrase mnemonic cryptokey symmetrickey
    hmackey signingkey decryptionkey privkey seedwords xprv xpriv nsec psk
    """,
    .cardNumber: """
    cvv cvc cardnumber cardno creditcard debitcard ccnumber ccno ccnum cardcvv cardcvc cardpin
    kreditkarte kartennummer kreditkartennummer kartenprüfnummer kartenpruefnummer tarjeta cartao
    """,
    .bankAccount: "iban accountnumber kontonummer rekeningnummer",
    .identityNumber: """
    ssn nino passportnumber passportno socialsecurity socialsecuritynumber aadhaar aadhar cpf nif dni
    personnummer burgerservicenummer bsn taxid nationalid driverslicense sozialversicherungsnummer
    steuernummer personalausweisnummer codicefiscale pesel snils
    """,
    .email: "email emails emailaddress correo",
    .phone: """
    phone phonenumber phonenumbers mobilenumber telephone telefon telefono telefonnummer handynummer
    msisdn
    """,
    .address: "homeaddress streetaddress postaladdress maidenname",
    .dateOfBirth: "dob dateofbirth birthdate birthday geburtsdatum geboortedatum",
    .health: """
    disease diagnosis diagnoses illness symptom symptoms medication medications prescription
    prescriptions bloodtype bloodpressure bloodglucose heartrate allergy allergies medicalhistory
    healthrecord healthrecords pregnancy diagnose krankheit enfermedad maladie glucose systolic
    diastolic ovulation menstruation cholesterol hba1c glycemia glycemie glicemia blutzucker blutgruppe
    blutdruck bloedgroep
    """,
    .location: """
    latitude longitude geolocation currentlocation userlocation lastlocation homelocation
    """,
  ])

  /// Words with other meanings in other company: `mapPin`.
  static let weakWords = table([
    .password: "pin pw psw", .privateKey: "dek kek schlüssel", .address: "adresse",
  ])

  /// Words that are sensitive only if the value looks like it, or if they are ``wordsAlone``.
  static let vagueWords = table([
    .password: "pass sandi", .token: "auth authorization session cookie sid bearer",
    .cardNumber: "pan csc", .identityNumber: "sin", .email: "mail",
    .location: "lat lon lng coordinate coordinates location",
  ])

  /// Words of ``vagueWords`` that are clear if no other word precedes them. A
  /// `locationAuthorization` is a permission.
  static let wordsAlone = set("authorization csc sin sandi pan pass mail bearer")

  /// Phrases with one meaning, if they come last.
  static let phrases = phraseTable([
    .password: """
    pin code, pin number, pass code, pass phrase, pass word, user pin, secret answer,
    security answer, security code, one time code, recovery code, recovery codes, backup code,
    backup codes, unlock code, mot de passe, mot passe, code pin, secret question, clave acceso,
    palabra clave, clave secreta, mots de passe, verification code, recovery phrase, secret message, secret word,
    secret note, user pass, db pass, smtp pass, ftp pass, login pass, admin pass, account pass,
    root pass, wifi pass, auth pass, proxy pass, master pass, ssh pass, sftp pass, sudo pass,
    default pass, become pass, otp code, totp code, mfa code, sms code, factor code, access code,
    puk code, unlock pin, login pin, palavra passe, kod pin, question answer, anshou bangou,
    pin nummer, clave de acceso, parola dordine
    """,
    .token: """
    access token, auth token, refresh token, session token, id token, api token, bearer token,
    api key, api keys, api secret, app secret, client secret, consumer secret, access key, auth key,
    session id, session identifier, session key, session cookie, auth cookie, auth header,
    authorization header, http authorization, bearer authorization, subscription key, shared secret,
    webhook secret, connect sid, access tokens, refresh tokens, auth tokens, access tok, auth tok,
    refresh tok, remember token, me token, jeton acces, jeton session, ai key, aiapi key,
    token acceso, token acesso, token sessao, token dostepu
    """,
    .privateKey: """
    private key, private keys, secret key, secret keys, encryption key, decryption key, aes key,
    master key, symmetric key, signing key, hmac key, rsa key, ecc key, des key, crypto key,
    crypt key, encrypt key, enc key, cipher key, wrapping key, database key, db key, realm key,
    sqlcipher key, data key, vault key, recovery key, seed phrase, mnemonic phrase, wallet seed,
    seed words, recovery words, backup phrase, backup words, key material, key data, key bytes, priv key, raw key, shared key,
    key private, storage account key, network key, chain key, spend key, otp seed, totp seed,
    master seed, hd seed, bip 39 seed, clave privada, chave privada, chiave privata, clé privée,
    cle privee, klucz prywatny, özel anahtar, ozel anahtar, privater schlüssel, privater schluessel,
    geheimer schlüssel, geheimer schluessel, phrase récupération, phrase recuperation
    """,
    .cardNumber: """
    card number, card no, card num, card pan, cvv code, cvc code, cvc 2 code, cvn code, credit card, credit cards, debit card, payment card, credit number,
    cc number, cc no, cc num, card cvv, card cvc, card pin, card code, card security code,
    security number, card details, card info, credit card info, card expiry, card expiration,
    numero carte, numero tarjeta, numero cartao, numero carta, cartao credito, tarjeta credito,
    carta credito, carte bancaire, karty kredytowej
    """,
    .bankAccount: """
    bank account, account number, account num, account no, acct number, acct no, routing number,
    sort code, bank details, numero conto, numero cuenta, numer konta,
    conto corrente, cuenta bancaria, konta bankowego
    """,
    .identityNumber: """
    social security, social security number, social insurance number, national id,
    national insurance number, insurance number, tax id, tax number, passport number, passport no,
    driver license, drivers license, driving licence, license number, identity number,
    id card number, ssn number, id number, document number, numero pasaporte, kimlik no
    """,
    .email: "email address, email addr, e mail, mail address, user email",
    .phone: """
    phone number, mobile number, telephone number, cell number, phone no, mobile no, mobile phone,
    cell phone, home phone, work phone
    """,
    .address: """
    home address, street address, postal address, billing address, shipping address, mailing address,
    maiden name, mother name
    """,
    .dateOfBirth: """
    birth date, date birth, date of birth, date naissance, data nascita, data nascimento,
    fecha nacimiento, data urodzenia, doğum tarihi, dogum tarihi
    """,
    .health: """
    blood type, blood pressure, blood glucose, heart rate, medical history, medical record,
    medical records, medical condition, medical conditions, health record, health records,
    health data, health condition, patient name, patient record, patient id, hiv status, lab results,
    insulin dose, hba 1 c, spo 2, last period, period start, diastolic pressure, systolic pressure,
    mental health history, vaccination record, blood sugar, blood group, oxygen saturation, viral load, menstrual flow,
    menstrual cycle, menstrual period, lab result, groupe sanguin, gruppo sanguigno, grupo sanguineo,
    tipo sanguineo
    """,
    .location: """
    current location, user location, last location, home location, last known location,
    current coordinate, user coordinate, home coordinate
    """,
  ])

  static let harmlessPhrases = set(
    """
    map pin,drop pin,next token,page token,sync token,change token,token key,pin key,in token,\
    per token,of token,alert token,meta data key,from token,by token,erc 20 token,nft token,bep 20 token,\
    trc 20 token,erc 721 token,erc 1155 token,spl token,coin token,swap token,gas token,fee token,lp token,\
    staking token,reward token,quote token,base token,play session id,\
    playback session id,app account token,server change token,history token,native token,\
    governance token,design token,comma token,url session identifier,\
    background session identifier,adjust app token,opcode mnemonic,instruction mnemonic,led pin,gpio pin,\
    output pin,input pin,data pin,clock pin,allow credentials
    """, by: ",")

  /// Endings of words that are written without a separator, the longest first.
  static let endings: [(String, SecretKind)] =
    (words.filter {
      $0.key.utf8.count >= 8 && !$0.key.hasSuffix("s") || compounds.contains($0.key)
    }
    .map { ($0.key, $0.value) } + joinedPhrases.map { ($0.key, $0.value) })
    .sorted { ($1.0.utf8.count, $0.0) < ($0.0.utf8.count, $1.0) }

  /// Short words of ``words`` that often end a compound.
  private static let compounds = set("passwd secret 密码 密碼")

  /// The longer ``phrases`` as one word, as in the columns of Core Data: `ZREFRESHTOKEN`.
  static let joinedPhrases: [String: SecretKind] = phrases.reduce(into: [:]) {
    let joined = $1.key.filter { $0 != " " }
    if joined.utf8.count >= 6 { $0[joined] = $1.value }
  }

  /// Words that only describe the form of a value.
  static let neutralEndings = set(
    """
    value values string str strings data text txt bytes byte buffer array new old current temp tmp
    copy plain plaintext raw input entry entered content contents object obj ns utf base64 b64 hex
    encoded decoded field fields textfield optional unwrapped confirm confirmation again
    repeat retyped s v var let const val param parameter arg argument local saved stored cached typed
    default dict dictionary variable literal digits chars letters clear pem jwk pkcs blob usuario
    usuário utilisateur utente kullanici kullanıcı benutzer uzytkownika użytkownika polzovatelya
    beheerder пользователя входа
    """)

  /// Words that the name of a measurement ends in. A word of health before them still decides.
  static let measurementEndings = set(
    """
    bpm mg dl l mmol percent status taken date avg average reading readings sample samples level levels history log logs
    description name names dosage units week note notes
    """)

  /// Words after which a name says whose or what for: `tokenForLogin`, `senhaDoUsuario`.
  static let prepositions = set("of for from do da de del di du von van")

  /// Words that say that the value was made from a secret, or only looks like one. They apply
  /// wherever they occur before the word that decides.
  static let transformations = set(
    """
    encrypted hashed hash masked redacted hidden obfuscated ciphered sealed wrapped scrambled censored
    public publishable placeholder hint regex pattern validator policy rule rules expired invalid
    error errors forgot no must include includes with without longueur longitud tamanho länge
    """)

  /// The words of ``transformations`` that precede without a separator: `publickey`.
  static let joinedTransformations = [
    "encrypted", "hashed", "masked", "redacted", "hidden", "obfuscated", "public", "forgot", "has",
  ]

  /// Words before `token` that make it a marker, and no key to anything: `pushToken`.
  static let purposes = set(
    """
    push device fcm apns apn voip registration continuation page next sync change cursor csrf xsrf map
    drop event animation notification notifications observer observation subscription cancellation
    cancel cancellable once image label title color font start end first last lexer parser syntax
    symbol timer listener handler delegate state layout design comma separator keyword operator
    """)

  /// Words that make a session or a token one of statistics.
  static let measurements = set("analytics tracking tracker consent csrf xsrf")

  /// Words that make a name harmless, if the word that decides is weak or vague.
  public static let harmless = set(
    """
    encrypted hashed hash masked redacted obfuscated ciphered sealed wrapped scrambled censored hidden
    public cancellation cancel cancellable continuation once push device fcm apns registration
    observer notification notifications observation subscription page next sync change cursor
    tokenizer placeholder hint error errors alert title label message regex pattern validator rule
    rules strength count length policy button icon image color colour font view controller manager
    service handler helper delegate provider cell row section segue identifier uri url link path
    endpoint screen publishable symbol lexer parser syntax caret map annotation legend marker drop
    format formatter expired expiry expires expiration visibility visible required type kind status
    state mode index enabled disabled valid invalid constraint height width margin gesture animation
    timer timeout queue prompt reason class version prefix suffix header domain duration start started
    end ended date time timestamp created updated last first attempts limit min max size csrf xsrf
    consent permission tracking tracker analytics event name measurement unit units verified confirmed
    subscribed preferences settings
    """)

  /// First words that make a name a question or an action instead of a value.
  static let questions = set(
    """
    is has had should can could did does will would was are show shows hide hides forgot forget reset
    change changes changed enable enables allow allows require requires required need needs use uses
    using validate validates verify verifies check checks on toggle remember remembers update updates
    save saves store stores set sets delete deletes remove removes clear clears add adds insert
    request requests send sends submit supports invalid wrong missing no max min maximum minimum num
    number log print test handle present open close wipe erase ask want must include includes
    with without
    """)

  /// Words of ``questions`` that say what a token is for: `resetPasswordToken`.
  static let errands = set("reset verify login change update remember")

  /// First words of functions that return the value that their name mentions.
  static let readers = set(
    "get fetch load read retrieve obtain current generate generated make create build new copy the my"
  )

  /// First words of names for things on screen: `labelPassword`.
  static let leadingControls = set(
    """
    label lbl button btn icon ic image img imageview segue title etiqueta etichetta etiquette rotulo
    rótulo
    """)

  /// Words of ``questions`` that can also begin the name of a field: `loginPassword`,
  /// `verifyPassword`.
  static let fieldQualifiers = set("login change reset update verify set test")

  /// Words for controls, before and after the purpose of a field.
  public static let controls = set(
    """
    text field textfield txt tf txf textview view tv textbox box input edit editor entry outlet ib
    ns secure textfeld m ui label lbl fld tfield tbx et feld campo champ veld pole поле
    """)

  /// Last or first words of the names of text fields.
  static let fields = set(
    "textfield field txt tf txf textview fld textbox input tfield feld campo champ veld pole поле")

  /// Words that make the name of a field sensitive, but not the name of a variable.
  static let fieldEndings: [String: SensitiveKind] = [
    "session": .token, "cc": .payment, "card": .payment, "csrf": .token, "answer": .credential,
    "pw": .credential, "pass": .credential, "secret": .credential, "otp": .credential,
  ]

  /// Questions by which a person is recognised, in lower case.
  public static let securityQuestions = [
    "city were you born", "town were you born", "where were you born", "mother's maiden",
    "mothers maiden", "first pet", "favorite teacher", "favourite teacher", "first car",
    "security question", "security answer", "street did you grow", "best friend's name",
    "favorite color", "favourite colour", "first school", "secret question", "secret answer",
    "father's middle", "elementary school", "mother’s maiden", "first job",
  ]

  /// Words of captions that explain and do not ask for a value.
  static let captionsThatAskNothing = set(
    """
    forgot forgotten reset change show hide invalid wrong incorrect must should required least
    characters match matches click tap press learn stored saved success error failed cannot search
    filter find
    """)

  /// Words that change the meaning of the word before them in a caption.
  static let captionNouns = set(
    """
    hint hints tip tips derivation name names length strength reminder manager policy generator history holder type label url uri link path
    file fingerprint fingerprints
    """)

  static func set(_ text: String, by separator: Character? = nil) -> Set<String> {
    Set(text.split { separator == nil ? $0.isWhitespace : $0 == separator }.map(String.init))
  }

  private static func table(
    _ texts: [SecretKind: String]
  ) -> [String: SecretKind] {
    var table: [String: SecretKind] = [:]
    for (kind, text) in texts {
      for word in set(text) { table[word] = kind }
    }
    return table
  }

  private static func phraseTable(
    _ texts: [SecretKind: String]
  ) -> [String: SecretKind] {
    var table: [String: SecretKind] = [:]
    for (kind, text) in texts {
      for phrase in text.split(separator: ",") {
        table[phrase.split(whereSeparator: \.isWhitespace).joined(separator: " ")] = kind
      }
    }
    return table
  }
}
