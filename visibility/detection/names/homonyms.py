"""Names in scripts without capitals, or in languages where nouns have them, that are also plain words.

Where the plain word is known to stand beside something, that is listed with it. A list of our own.
"""

import re
from functools import lru_cache

from visibility.detection.names.everyday_nouns import EVERYDAY_NOUNS

_EATEN = "吃 甜 水果 果汁 派 树 粥 米饭 果物 果実 パイ ジュース ジャム タルト ティー 과일 주스 파이 맛"
_BESIDE = {
    "苹果": _EATEN, "蘋果": _EATEN, "小米": _EATEN, "アップル": _EATEN, "オレンジ": _EATEN, "애플": _EATEN,
    "사과": _EATEN, "오렌지": _EATEN, "番茄": _EATEN, "アマゾン": "川 熊帯 ジャングル", "亚马逊": "河 雨林 流域",
    "아마존": "강 열대 밀림", "楽天": "的 家 主義", "弥生": "時代 土器", "长城": "脚下 游",
}  # fmt: skip
_CHINESE = """
    大众 现代 长城 东风 光明 平安 联想 小鹏 理想 美的 老板 海底捞 去哪儿 去哪 饿了么 飞猪 闲鱼 土豆 豆瓣 虾米
    蘑菇街 得物 识货 快手 企鹅 天猫 叮咚 盒马 当当 滴滴 百度 知乎 小红书 王老吉 农夫 立白 蓝月亮 太平洋 人人 天涯
    天堂 三星 七喜 红牛 雪花 青岛 燕京 五粮液 好想你 三只松鼠 良品 名创 全家 罗森 便利蜂 周黑鸭 绝味 得力 晨光
    英雄 派克 白象 康师傅 统一 旺旺 双汇 雨润 六神 百雀羚 自然堂 大宝 回力 飞跃 安踏 特步 鸿星 匹克 步步高 金立
    魅族 一加 真我 荣耀 坚果 极米 石头 追觅 云鲸 微信 钉钉 飞书 语雀 印象 石墨 腾讯 新浪 搜狐 网易 凤凰 头条 微博
    陌陌 探探 珍爱 世纪 百合 招商 兴业 民生 光大 浦发 中信 人寿 太平 春秋 吉祥 海航 首旅 如家 汉庭 全季 亚朵 桔子
    七天 格林 锦江 万科 恒大 碧桂园 龙湖 绿地 保利 顺丰 圆通 中通 申通 韵达
"""
_JAPANESE = """
    キリン ライオン タイガー エース ライン モス さくら はてな ガスト ゼロ ヤマト コーチ カルピス エビス ヱビス
    スズキ 象印 弥生 楽天 王子 花王 光 松屋 吉野家 東風 明治 森永 雪印 日産 日立 三菱 東芝 太陽 朝日 読売 毎日
    産経 富士 大和 丸井 西武 東急 小田急 京王 りそな みずほ ゆうちょ すき家 くら寿司 ニトリ しまむら 無印 コクヨ
    ぺんてる トンボ パイロット ペリカン クロネコ カゴメ ヱスビー ハウス グリコ ブルボン カバヤ リッツ ゴディバ
    モロゾフ コロンバン ピジョン コンビ アップリカ マックス ブラザー メルカリ フリル ラクマ ココナラ クックパッド
    スタンプ ノート ビート ハード オフ ジャンプ マガジン サンデー
"""
_KOREAN = """
    다음 당근 멜론 지니 벅스 웨이브 플로 토스 라인 카카오 현대 기아 대우 신세계 한화 두산 농심 빙그레 매일
    오늘의집 지그재그 사람인 배민 요기요 직방 다방 여기어때 야놀자 왓챠 바이브 하나 우리 신한 국민 기업 농협 수협
    교보 삼성 대한 미래 한국 동양 태평양 이니스프리 설화수 참이슬 처음처럼 진로 하이트 카스 테라 켈리 오비 크라운
    해태 롯데 남양 서울 부산 무학 대상 동원 동아 조선 중앙 대교 금호
"""
_GERMAN = """
    Adler Bahn Bauer Berg Birke Blume Brot Brücke Burg Eiche Engel Erdinger Falke Fels Feuer Fischer Freude Frosch
    Fuchs Garten Geist Glück Gut Hahn Haus Heimat Held Herz Himmel Hirsch Hof Jäger Jung Kaiser Kante Klar Klasse
    König Koch Kraft Krone Krombacher Kunst Lamm Leben Licht Liebe Linde Löwe Markt Meister Mond Morgen Mühle
    Müller Nacht Natur Perle Post Quelle Rabe Rasch Rind Ritter Rose Ruhe Schatz Schloss Schneider Schwan Segen
    Sieger Sinn Sonne Spiegel Stahl Stark Stern Strom Sturm Tag Tanne Tempo Tisch Traum Turm Vogel Wald Weber Welt
    Wind Wolf Wunder Zeit Ziel Zukunft Zeiss Bild Bunte Depot Eltern Freundin Kleinanzeigen Sparkasse Techniker
"""
_ROMANCE = """
    Carrefour Casino Caprice Claro Corona Corriere Desigual Éclair Éclat Équipe Estrella Étoile Fleur Folha Globo
    Intesa Liberté Lumière Lune Mango Modelo Monde Mulino Natura Naranja Nature Orange País Poste Président
    Printemps Relais Repubblica Roca Rocher Sol Sole Soleil Tierra Total Vivo
"""
WORDS_WITHOUT_CAPITALS = frozenset(f"{_CHINESE} {_JAPANESE} {_KOREAN}".split()) | frozenset(_BESIDE) | EVERYDAY_NOUNS
"""Names in Chinese characters, kana and hangul that are also plain words, or parts of them."""

NOUNS_WITH_CAPITALS = frozenset(_GERMAN.split())
"""German nouns that companies are called after."""

ROMANCE_WORDS = frozenset(_ROMANCE.split())
"""French, Spanish, Italian and Portuguese words that companies are called after."""

_TRADE = re.compile(
    "价格|便宜|性价比|手机|电脑|电视|空调|冰箱|家电|官网|旗舰店|品牌|产品|型号|系列|车型|会员|平台|软件|下载|配送|客服|售后|服务|"
    "推荐|适合|值得|首选|购买|买|卖|售|优惠|选|"
    "款|牌子|店|下单|推出|上市|发布|免费|收费|注册|功能|好用|方便|划算|保修|公司|企业|手续费|利率|账户|外卖|酒店|机票|耳机|相机|续航|拍照|销量|門市|價格|推薦|"
    "価格|円|安い|安く|高い|モデル|製品|商品|メーカー|ブランド|ポイント|サポート|人気|料金|手数料|プラン|アプリ|カード|カメラ|定番|"
    "おすすめ|お得|通販|配送|店舗|炊飯器|家電|会員|口コミ|保証|性能|充電|回線|格安|使え|使い|使う|選|便利|発売|販売|売れ|売り|製造|購入|買|注文|予約|契約|加入|割引|無料|口座|預金|送金|振込|引き出|値段|品質|会社|企業|機種|"
    "評判|機能|利用|"
    "가격|원|제품|브랜드|앱|서비스|매장|배송|수수료|추천|요금|할인|구독|회원|"
    "결제|카드|보험|은행|포인트|기능|성능|고객|인기|무료|거래|쓰세요|쓰면|써 보|"
    "구매|구입|판매|출시|저렴|비싸|비싼|지점|회사|업체|가입|주문|배달|이용|사용|편리|환불|직영|대리점|백화점|마트|후기|가성비"
)


def plain_meaning_beside(name: str) -> tuple[str, ...]:
    """What stands in the line where the plain word is meant."""
    return tuple(_BESIDE.get(name, "").split())


@lru_cache(maxsize=2_048)
def speaks_of_trade_unspaced(text: str) -> bool:
    """Whether a text in a script without capitals speaks of buying, selling or using."""
    return _TRADE.search(text) is not None
